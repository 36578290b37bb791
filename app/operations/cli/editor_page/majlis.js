// The page of Sveltia CMS: it saves a file of which only the edited values change.
//
// Sveltia writes all keys of a file anew. This format keeps the text of a file in a hidden field, and
// replaces in it what differs: comments, quotes, the order of keys and all other lines stay.

import CMS from "./sveltia-cms.mjs";
import { isMap, isScalar, isSeq, parse, parseDocument, stringify } from "./yaml/index.js";

const SOURCE = "_source";
const HEAD = /^---[ \t]*\n(?:([^]*?)\n)?---[ \t]*(?:\n|$)/;
const OPTIONS = { lineWidth: 0, compat: "yaml-1.1" };

const config = parse(await (await fetch("config.yml")).text());
const languages = config.i18n.locales;
const main = config.i18n.default_locale;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isEmpty = (value) =>
  value === undefined || value === null || value === "" ||
  (typeof value === "object" && Object.values(value).every(isEmpty));
const named = (fields, name) => fields?.find((field) => field.name === name);
const isByLanguage = (field) => field?.fields?.every(({ name }) => languages.includes(name)) ?? false;

// A value as its field has it: `yes` is true, and a text in one language is one of several.
function shaped(value, field) {
  if (field?.widget === "boolean" && typeof value === "string") return /^(yes|on|true)$/i.test(value);
  if (Array.isArray(value)) return value.map((each) => shaped(each, field && { ...field, widget: "object" }));
  if (isObject(value)) return shapedAll(value, field?.fields);
  return isByLanguage(field) && field.widget === "object" && !isEmpty(value) ? { [main]: String(value) } : value;
}

function shapedAll(values, fields) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, shaped(value, named(fields, key))]),
  );
}

function isSame(before, after, field) {
  if (isEmpty(before) && field?.widget === "boolean") return after === (field.default ?? false) || isEmpty(after);
  if (isEmpty(before) || isEmpty(after)) {
    const isLost = isObject(before) && field && !field.fields; // a form that the editor cannot show
    return isLost || (isEmpty(before) && isEmpty(after));
  }
  if (typeof before === "object" && typeof after === "object") {
    const fields = Array.isArray(before) ? null : field?.fields;
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const inner = (key) => (Array.isArray(before) ? field : named(fields, key));
    return Array.isArray(before) === Array.isArray(after) &&
      (!Array.isArray(before) || before.length === after.length) &&
      keys.every((key) => isSame(before[key], after[key], inner(key)));
  }
  if (typeof before === "string" && typeof after === "number") return Number(before) === after;
  return before === after;
}

// An amount with the decimals of its currency, as `majlis check` asks for.
function amount(value, field) {
  if (typeof value !== "number" || Number.isInteger(value) || !/^[A-Z]{3}$/.test(field?.name)) return value;
  const currency = new Intl.NumberFormat("en", { style: "currency", currency: field.name });
  return value.toFixed(currency.resolvedOptions().maximumFractionDigits);
}

// What is written of a new value: no empty keys, and no keys that say what holds without them.
function pruned(value, field) {
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? pruned(each, field) : each));
  if (!isObject(value)) return amount(value, field);
  const kept = Object.entries(value)
    .map(([key, each]) => [key, pruned(each, named(field?.fields, key)), named(field?.fields, key)])
    .filter(([, each, inner]) => !isSame(undefined, each, inner));
  return Object.fromEntries(kept.map(([key, each]) => [key, each]));
}

function scalar(value, node, field) {
  const written = amount(value, field);
  if (typeof node.value === "number" && written !== value) return written; // 49.50, as a number
  const text = typeof node.value === "string" && typeof value === "number" ? String(written) : value;
  if (typeof text === "boolean" && /^(yes|no)$/i.test(node.source ?? "")) return text ? "yes" : "no";
  const type = typeof text === "string" && node.type?.startsWith("QUOTE") ? node.type : "PLAIN";
  const flow = { ...OPTIONS, collectionStyle: "flow", flowCollectionPadding: false };
  return stringify([text], { ...flow, defaultStringType: type, defaultKeyType: "PLAIN" }).trim().slice(1, -1);
}

// Adds the edits of scalars below a node; false if keys or items come or go.
function editScalars(node, before, after, field, edits) {
  if (isSame(before, after, field)) return true;
  if (isMap(node) && isObject(after)) {
    return Object.keys({ ...before, ...after }).every((key) => {
      const inner = named(field?.fields, key);
      const pair = node.items.find((each) => String(each.key) === key);
      if (isSame(before[key], after[key], inner)) return true;
      return pair && !isEmpty(after[key]) && editScalars(pair.value, before[key], after[key], inner, edits);
    });
  }
  if (isSeq(node) && Array.isArray(after) && node.items.length === after.length) {
    return node.items.every((item, index) => editScalars(item, before[index], after[index], field, edits));
  }
  const only = isObject(after) && isByLanguage(field) && isEmpty({ ...after, [main]: "" }) ? after[main] : after;
  const isLine = isScalar(node) && node.value !== null && !node.type?.startsWith("BLOCK");
  if (!isLine || typeof only === "object" || isEmpty(only) || String(only).includes("\n")) return false;
  edits.push([node.range[0], node.range[1], scalar(only, node, field)]);
  return true;
}

function written(key, value, field, isFlow) {
  const kept = pruned({ [key]: value }, { fields: [field ?? {}] });
  if (isFlow) return `${stringify(key).trim()}: ${stringify(kept[key], { ...OPTIONS, collectionStyle: "flow" }).trim()}`;
  return stringify(kept, OPTIONS).trim();
}

// The text of front matter with the values that differ.
function edited(head, values, fields) {
  const document = parseDocument(head);
  const old = shapedAll(document.toJS() ?? {}, fields);
  const items = document.contents?.items ?? [];
  const edits = [];
  const added = [];
  for (const key of Object.keys({ ...old, ...values })) {
    const field = named(fields, key);
    const pair = items.find((each) => String(each.key) === key);
    if (isSame(old[key], values[key], field)) continue;
    if (!pair) {
      added.push(written(key, values[key], field, false));
      continue;
    }
    const inner = [];
    const end = pair.value?.range?.[1] ?? pair.key.range[1];
    if (isEmpty(values[key])) {
      const next = head.indexOf("\n", Math.max(end - 1, pair.key.range[1]));
      edits.push([pair.key.range[0], next < 0 ? head.length : next + 1, ""]);
    } else if (editScalars(pair.value, old[key], values[key], field, inner)) {
      edits.push(...inner);
    } else {
      const length = head.slice(pair.key.range[0], end).trimEnd().length;
      const text = written(key, values[key], field, pair.value?.flow);
      edits.push([pair.key.range[0], pair.key.range[0] + length, text]);
    }
  }
  const text = edits
    .sort(([first], [second]) => second - first)
    .reduce((rest, [from, to, insert]) => rest.slice(0, from) + insert + rest.slice(to), head);
  return [text.trimEnd(), ...added].filter(Boolean).join("\n");
}

function fromFile(text, fields) {
  const found = HEAD.exec(text);
  const values = shapedAll(parse(found?.[1] ?? "") ?? {}, fields);
  return { ...values, body: text.slice(found?.[0].length ?? 0).trim(), [SOURCE]: text };
}

function toFile({ [SOURCE]: source, body = "", ...values }, fields) {
  const found = HEAD.exec(source ?? "");
  const rest = (source ?? "").slice(found?.[0].length ?? 0);
  const text = body === rest.trim() ? rest : `${/^\s*/.exec(rest)[0] || "\n"}${body}`;
  if (source) {
    const head = edited(found?.[1] ?? "", values, fields);
    return found || head ? `---\n${head}\n---\n${text}` : text.trimStart();
  }
  const known = Object.fromEntries(fields.map(({ name }) => [name, values[name]]));
  const kept = pruned(known, { fields });
  if (isEmpty(kept)) return body || "---\n---"; // a translation to be written
  return `---\n${stringify(kept, OPTIONS)}---\n${text}`;
}

function prepared(item, name) {
  const { fields } = item;
  const needed = fields.map((field) =>
    field.required && field.i18n ? { ...field, required: [main] } : field,
  );
  const format = `${name}-frontmatter`;
  CMS.registerCustomFormat(format, "md", {
    fromFile: (text) => fromFile(text, fields),
    toFile: (values) => toFile(values, fields),
  });
  return { ...item, format, fields: [...needed, { name: SOURCE, widget: "hidden" }] };
}

config.collections = config.collections.map((item) =>
  item.files
    ? { ...item, files: item.files.map((file) => prepared(file, `${item.name}-${file.name}`)) }
    : {
        ...prepared(item, item.name),
        filter: { field: "slug", pattern: `^[^.]+(\\.(${languages.join("|")}))?$` }, // no layers
      },
);
const { omit_default_locale_from_filename: omitted, ...i18n } = config.i18n; // as Decap has it
const { local_backend: _, ...site } = config;
CMS.init({
  config: {
    ...site,
    i18n: { ...i18n, omit_default_locale_from_file_path: omitted },
    load_config_file: false,
  },
});
