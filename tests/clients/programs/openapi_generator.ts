// A program that uses the API, with the client that openapi-generator writes in TypeScript.
import { BlogApi, Configuration, Country, Language, LeadsApi, PagesApi, ResponseError, SectionType, SiteApi, Topic } from "./client";
import type { PageSection } from "./client";

declare const process: { argv: string[] };
const configuration = new Configuration({ basePath: process.argv[2] });
const query = { country: Country.Sa, lang: Language.Ar };

// Without a default: the compiler knows that there is no other type.
function words(section: PageSection): string {
  switch (section.type) {
    case SectionType.Faq:
      return (section.items ?? []).map((item) => item.question).join();
    case SectionType.RichText:
    case SectionType.Cta:
    case SectionType.FeatureGrid:
    case SectionType.BulletList:
    case SectionType.Image:
    case SectionType.Stats:
      return section.body ?? "";
  }
}

async function missing(): Promise<Response> {
  try {
    await new PagesApi(configuration).getPage({ slug: "no-such-page" });
  } catch (error) {
    if (error instanceof ResponseError) return error.response;
    throw error;
  }
  throw new Error("The page is there.");
}

async function visit() {
  const settings = await new SiteApi(configuration).getSiteSettings({});
  const { page } = await new PagesApi(configuration).getPage({ slug: "pricing", ...query });
  const posts = await new BlogApi(configuration).listPosts({ ...query, search: "مخزون" });
  const lead = { email: "noor@example.com", topic: Topic.Demo, name: null };
  const receipt = await new LeadsApi(configuration).postLead({ lead });
  const response = await missing();
  return {
    email: settings.siteSettings.primaryEmail,
    title: page.title,
    sections: page.sections.map(words),
    posts: posts.items.map((post) => post.slug),
    total: posts.pagination.total,
    stored: receipt.ok,
    status: response.status,
    code: (await response.json()).error.code,
  };
}

visit().then((result) => console.log(JSON.stringify(result)));
