"use strict";
{
  const written = new WeakMap();
  let chosen = "auto";
  // Raises an error where the browser keeps nothing: the choice is then for one page.
  const keep = (use) => {
    try {
      return use(localStorage);
    } catch {}
  };
  const adapt = (each) => {
    if (!written.has(each)) written.set(each, `${each.media}`);
    const media = written.get(each).replace(/\(prefers-color-scheme: ?(\w+)\)/g, (query, scheme) =>
      chosen === "auto" ? query : `(${scheme === chosen ? "min" : "max"}-width: 0px)`,
    );
    if (`${each.media}` !== media) each.media = media;
  };
  const adaptRules = (rules) => {
    for (const each of rules) {
      if (each.media) adapt(each);
      if (each.cssRules) adaptRules(each.cssRules);
    }
  };
  const adaptPictures = () => document.querySelectorAll("source[media], meta[media]").forEach(adapt);
  const choose = (scheme) => {
    chosen = document.documentElement.dataset.scheme = scheme;
    for (const each of document.styleSheets) adaptRules(each.cssRules);
    adaptPictures();
  };
  document.documentElement.dataset.scheme = chosen;
  const added = new MutationObserver(adaptPictures);
  const before = keep((kept) => kept.getItem("scheme"));
  if (before === "light" || before === "dark") {
    choose(before);
    added.observe(document, { childList: true, subtree: true });
  }
  addEventListener("DOMContentLoaded", () => {
    added.disconnect();
    for (const each of document.querySelectorAll('[name="scheme"]')) each.checked = each.value === chosen;
  });
  addEventListener("change", ({ target }) => {
    if (target.name !== "scheme") return;
    choose(target.value);
    keep((kept) => kept.setItem("scheme", chosen));
  });
}
