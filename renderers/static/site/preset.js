"use strict";
for (const [name, value] of new URLSearchParams(location.search)) {
  for (const field of document.querySelectorAll("form[novalidate] :is(input, select, textarea)")) {
    const isAsked = field.tabIndex >= 0 && /^(text|email|tel|date|time|select-one|textarea)$/.test(field.type);
    if (field.name !== name || !isAsked) continue;
    const before = field.value;
    field.value = value;
    if (field.value !== value) field.value = before;
  }
}
