// A program that uses the API, with the client that orval generates.
import { getPage, getSiteSettings, listPosts, postLead, type PageSection } from "./client.ts";

const query = { country: "SA", lang: "ar" } as const;
const settings = await getSiteSettings();
const page = await getPage("pricing", query);
const posts = await listPosts({ ...query, search: "مخزون" });
const lead = await postLead({ email: "noor@example.com", topic: "demo", name: null });
const missing = await getPage("no-such-page");

// Without a default: the compiler knows that there is no other type.
function words(section: PageSection): string {
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

// JSON is the default of the service; the types have markdown too.
const json = <Data,>(data: Data): Exclude<Data, string> => data as Exclude<Data, string>;
if (settings.status !== 200 || page.status !== 200 || posts.status !== 200) throw settings;
if (lead.status !== 200 || missing.status !== 404) throw lead;
console.log(
  JSON.stringify({
    email: json(settings.data).siteSettings.primaryEmail,
    title: json(page.data).page.title,
    sections: json(page.data).page.sections.map(words),
    posts: json(posts.data).items.map((post) => post.slug),
    total: json(posts.data).pagination.total,
    stored: lead.data.ok,
    status: missing.status,
    code: missing.data.error.code,
  }),
);
