-- Each request is another search of another client; `{}` in the path is replaced by the words.
local words = {
   "invoice", "stock", "payroll", "branch", "ledger", "warehouse", "tax", "customer", "supplier",
   "report", "cloud", "scanner", "receipt", "order", "delivery", "price", "quantity", "month",
   "invioce", "wharehouse", "rollout", "training"
}
local number = math.random(1000000)
request = function()
   number = number + 7919
   local address = "198.18." .. math.floor(number / 250) % 250 .. "." .. number % 250 + 1
   wrk.headers["X-Forwarded-For"] = address
   local query = "how+to"
   for place = 0, 3 do
      query = query .. "+" .. words[math.floor(number / (#words) ^ place) % (#words) + 1]
   end
   return wrk.format(nil, (wrk.path:gsub("{}", query)))
end
