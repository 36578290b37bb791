-- Each request comes from one of many clients, so that no rate limit is met.
local number = 0
request = function()
   number = (number + 1) % 62500
   local address = "198.18." .. math.floor(number / 250) .. "." .. number % 250 + 1
   wrk.headers["X-Forwarded-For"] = address
   return wrk.format()
end
