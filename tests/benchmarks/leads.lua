-- Each request is another lead of another client, with a text of its own.
local words = {
   "invoice", "stock", "payroll", "branch", "ledger", "warehouse", "tax", "customer", "supplier",
   "report", "cloud", "scanner", "receipt", "order", "delivery", "price", "quantity", "month"
}
local endings = { "", "s", "ing", "er", "ed", "able", "less", "like" }
math.randomseed(os.time())
local run, number = math.random(1000000000), 0
wrk.headers["Content-Type"] = "application/json"

request = function()
   number = number + 1
   local address = "198.18." .. math.floor(number / 250) % 250 .. "." .. number % 250 + 1
   wrk.headers["X-Forwarded-For"] = address
   local text = {}
   for place = 1, 16 do
      text[place] = words[math.random(#words)] .. endings[math.random(#endings)]
   end
   local body = '{"email":"sender' .. run .. "." .. number .. '@customer' .. number % 977
      .. '.test","name":"Noor Al Suwaidi","phone":"+971 50 123 4567","message":"'
      .. table.concat(text, " ") .. '","sourcePage":"/ae/en/contact"}'
   return wrk.format("POST", nil, nil, body)
end

done = function(summary, latency)
   local errors = summary.errors
   local failed = errors.status + errors.timeout + errors.read + errors.connect
   io.write(string.format("Leads: %d %d %d %d\n", summary.requests, failed, summary.duration,
      latency:percentile(99)))
end
