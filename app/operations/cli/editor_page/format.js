// The format of Sveltia CMS in which a saved file differs in the edited values alone.
//
// Sveltia writes all keys of a file anew. This format keeps the text of a file in a hidden field, and
// replaces in it what differs: comments, quotes, the order of keys and all other lines stay. As
// Majlis does, it reads each scalar as the text that stands there.

import { isMap, isScalar, isSeq, parse, parseDocument, stringify } from "./yaml/index.js";

export const SOURCE = "_source";
const HEAD = /^---[ \t]*\n(?:([^]*?)\n)?---[ \t]*(?:\n|$)/;
const OPTIONS = { lineWidth: 0, compat: "yaml-1.1" };
const LITERAL = { schema: "failsafe" };
let languages = [];
let main = "";

// Returns the format of the documents with these fields, on a site with these languages.
export function formatOf(fields, i18n) {
  ({ locales: languages, default_locale: main } = i18n);
  return {
    fromFile: (text) => fromFile(text, fields),
    toFile: (values) => toFile(values, fields),
  };
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isEmpty = (value) =>
  value === undefined || value === null || value === "" ||
  (typeof value === "object" && Object.values(value).every(isEmpty));
const named = (fields, name) => fields?.find((field) => field.name === name);
const isByLanguage = (field) =>
  field?.fields?.length > 0 && field.fields.every(({ name }) => languages.includes(name));

// The field of one item of a list.
const itemOf = (field) =>
  field && { ...field, widget: field.fields ? "object" : "string", multiple: false };

// A text of the file as its field has it: `yes` is true, and a text in one language is one of several.
function shaped(value, field) {
  if (field?.widget === "boolean" && !isEmpty(value)) return /^(yes|y|on|true|t|1)$/i.test(value);
  if (field?.widget === "number" && !isEmpty(value)) return Number(value);
  if (Array.isArray(value)) return value.map((each) => shaped(each, itemOf(field)));
  if (isObject(value)) return shapedAll(value, field?.fields);
  return isByLanguage(field) && field.widget === "object" && !isEmpty(value) ? { [main]: value } : value;
}

function shapedAll(values, fields) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, shaped(value, named(fields, key))]),
  );
}

// Whether a value has another form than its field, so that the editor does not show it, or only its
// first item.
function isUnshown(value, field) {
  if (!field || isEmpty(value)) return false;
  if (field.widget === "list" || field.multiple) return !Array.isArray(value);
  return field.fields ? !isObject(value) : typeof value === "object";
}

function isSame(before, after, field) {
  if (isEmpty(before) && field?.widget === "boolean") return after === (field.default ?? false) || isEmpty(after);
  if (isEmpty(before) && isEmpty(after)) return true;
  const shown = Array.isArray(before) ? before[0] : before;
  if (isUnshown(before, field) && (isEmpty(after) || String(after) === String(shown))) return true;
  if (isEmpty(before) || isEmpty(after)) return false;
  if (typeof before === "object" && typeof after === "object") {
    const fields = Array.isArray(before) ? null : field?.fields;
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const inner = (key) => (Array.isArray(before) ? itemOf(field) : named(fields, key));
    return Array.isArray(before) === Array.isArray(after) &&
      (!Array.isArray(before) || before.length === after.length) &&
      keys.every((key) => isSame(before[key], after[key], inner(key)));
  }
  return String(before) === String(after);
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
  const text = amount(value, field);
  if (node.type.startsWith("QUOTE")) return inFlow(String(text), node.type);
  if (typeof value === "boolean" && /^(yes|no)$/i.test(node.value)) return value ? "yes" : "no";
  return typeof value === "number" ? String(text) : inFlow(text, "PLAIN");
}

function inFlow(text, defaultStringType) {
  const options = { ...OPTIONS, collectionStyle: "flow", flowCollectionPadding: false };
  const keys = { defaultKeyType: "PLAIN" };
  return stringify([text], { ...options, ...keys, defaultStringType }).trim().slice(1, -1);
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
    return node.items.every((item, index) => editScalars(item, before[index], after[index], itemOf(field), edits));
  }
  const only = isObject(after) && isByLanguage(field) && isEmpty({ ...after, [main]: "" }) ? after[main] : after;
  const isLine = isScalar(node) && node.range[1] > node.range[0] && !node.type.startsWith("BLOCK");
  if (!isLine || typeof only === "object" || isEmpty(only) || String(only).includes("\n")) return false;
  edits.push([node.range[0], node.range[1], scalar(only, node, field)]);
  return true;
}

function written(key, value, field, isFlow) {
  const kept = pruned({ [key]: value }, { fields: [field ?? {}] });
  if (isFlow) return `${stringify(key).trim()}: ${stringify(kept[key], { ...OPTIONS, collectionStyle: "flow" }).trim()}`;
  return stringify(kept, OPTIONS).trim();
}

// The text of front matter with the values that differ; keys without a field stay as they are.
function edited(head, values, fields) {
  const document = parseDocument(head, LITERAL);
  const old = shapedAll(document.toJS() || {}, fields);
  const items = document.contents?.items ?? [];
  const edits = [];
  const added = [];
  for (const field of fields.filter(({ name }) => name !== "body")) {
    const key = field.name;
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
  if (text.startsWith("+++")) throw new Error("Front matter in TOML is edited in files.");
  const found = HEAD.exec(text);
  const values = shapedAll(parse(found?.[1] ?? "", LITERAL) || {}, fields);
  const known = Object.entries(values).filter(([key]) => named(fields, key));
  const body = text.slice(found?.[0].length ?? 0).trim();
  return { ...Object.fromEntries(known), body, [SOURCE]: text };
}

function toFile({ [SOURCE]: source, body = "", ...values }, fields) {
  const found = HEAD.exec(source ?? "");
  const rest = (source ?? "").slice(found?.[0].length ?? 0);
  const text = body === rest.trim() ? rest : `${/^\s*/.exec(rest)[0] || "\n"}${body}`;
  if (source) {
    const head = edited(found?.[1] ?? "", values, fields);
    return found || head ? `---\n${head}\n---\n${text}` : text.trimStart();
  }
  const known = fields.filter(({ name }) => name !== "body").map(({ name }) => [name, values[name]]);
  const kept = pruned(Object.fromEntries(known), { fields });
  if (isEmpty(kept)) return body || "---\n---"; // a translation to be written
  return `---\n${stringify(kept, OPTIONS)}---\n${text}`;
}
