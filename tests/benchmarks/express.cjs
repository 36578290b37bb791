// The preview of the blog as an Express service answers it, with compression and a rate limit.
const fs = require("node:fs");
const express = require("express");
const compression = require("compression");
const { rateLimit } = require("express-rate-limit");

const recorded = JSON.parse(fs.readFileSync(process.env.BARE_ANSWER, "utf8"));
const preview = JSON.parse(Buffer.from(recorded.body, "base64").toString("utf8"));

const application = express();
application.set("trust proxy", "loopback");
application.use(rateLimit({ windowMs: 60_000, limit: 1_000_000, standardHeaders: "draft-7", legacyHeaders: false }));
application.use(compression());
application.get("/api/public/v1/blog/homepage", (request, response) => response.json(preview));
application.listen(Number(process.env.PORT), "127.0.0.1");
