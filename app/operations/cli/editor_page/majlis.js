// The page of Sveltia CMS: its configuration, with the format of the files of Majlis.

import { formatOf, SOURCE } from "./format.js";
import CMS from "./sveltia-cms.mjs";
import { parse } from "./yaml/index.js";

const { local_backend: _, ...site } = parse(await (await fetch("config.yml")).text()); // of Decap
const { omit_default_locale_from_filename: omitted, ...i18n } = site.i18n; // as Decap has it

function prepared(item, name) {
  const format = `${name}-frontmatter`;
  const fields = item.fields.map((field) =>
    field.required && field.i18n ? { ...field, required: [i18n.default_locale] } : field,
  );
  CMS.registerCustomFormat(format, "md", formatOf(item.fields, i18n));
  return { ...item, format, fields: [...fields, { name: SOURCE, widget: "hidden" }] };
}

const noLayer = { field: "slug", pattern: `^[^.]+(\\.(${i18n.locales.join("|")}))?$` };
const collections = site.collections.map((item) =>
  item.files
    ? { ...item, files: item.files.map((file) => prepared(file, `${item.name}-${file.name}`)) }
    : { ...prepared(item, item.name), filter: noLayer },
);
CMS.init({
  config: {
    ...site,
    collections,
    i18n: { ...i18n, omit_default_locale_from_file_path: omitted },
    load_config_file: false,
  },
});
