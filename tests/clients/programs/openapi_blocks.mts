// A program that reads blocks of the home page, a product and the footer as they are typed.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.mts";

declare const process: { argv: string[] };
const { GET } = createClient<paths, "application/json">({ baseUrl: process.argv[2] });

const query = { country: "SA", lang: "ar" } as const;
const home = await GET("/api/public/v1/homepage", { params: { query } });
const product = await GET("/api/public/v1/kinds/{kind}/{slug}", {
  params: { path: { kind: "products", slug: "counter-pos-15" }, query },
});

// Without a cast, and without a check of what is always sent.
function shown(block: components["schemas"]["Homepage"]["blocks"][number]): string[] {
  switch (block.type) {
    case "cards":
      return block.items.map((card) => `${card.title} ${card.href} ${card.picture?.url ?? ""}`);
    case "quotes":
      return block.items.map((quote) => `${quote.name} ${quote.company ?? ""}`);
    default:
      return block.links.map((link) => `${link.text} ${link.href}`);
  }
}

const entry = product.data?.entry;

console.log(
  JSON.stringify({
    blocks: home.data?.blocks.map((block) => shown(block).length),
    footer: home.data?.navigation.footerColumns.columns.map((column) => column.links.map((link) => link.href)),
    currency: entry?.kind === "products" ? entry.fields?.prices?.currency : undefined,
  }),
);
