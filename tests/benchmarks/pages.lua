-- Each request reads the next of many pages, and comes from another client.
local pages = tonumber(os.getenv("PAGES"))
local prefix = wrk.path
local number = 0
request = function()
   number = (number + 1) % 62500
   wrk.headers["X-Forwarded-For"] = "198.18." .. math.floor(number / 250) .. "." .. number % 250 + 1
   return wrk.format("GET", prefix .. number % pages)
end
