// A program that uses the API: openapi-fetch, with the types that openapi-typescript generates.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.mts";

declare const process: { argv: string[] };
const { GET, POST } = createClient<paths, "application/json">({ baseUrl: process.argv[2] });

const query = { country: "SA", lang: "ar" } as const;
const settings = await GET("/api/public/v1/site-settings");
const page = await GET("/api/public/v1/pages/{slug}", { params: { path: { slug: "pricing" }, query } });
const posts = await GET("/api/public/v1/blog/posts", { params: { query: { ...query, search: "مخزون" } } });
const lead = await POST("/api/public/v1/leads", { body: { email: "noor@example.com", topic: "demo", name: null } });
const missing = await GET("/api/public/v1/pages/{slug}", { params: { path: { slug: "no-such-page" } } });

// Without a default: the compiler knows that there is no other type.
function words(section: components["schemas"]["PageSection"]): string {
  switch (section.type) {
    case "faq":
      return (section.items ?? []).map((item) => item.question).join();
    case "richText":
    case "cta":
    case "featureGrid":
    case "bulletList":
    case "image":
    case "stats":
      return section.body ?? "";
  }
}

console.log(
  JSON.stringify({
    email: settings.data?.siteSettings.primaryEmail,
    title: page.data?.page.title,
    sections: page.data?.page.sections.map(words),
    posts: posts.data?.items.map((post) => post.slug),
    total: posts.data?.pagination.total,
    stored: lead.data?.ok,
    status: missing.response.status,
    code: missing.error?.error.code,
  }),
);
