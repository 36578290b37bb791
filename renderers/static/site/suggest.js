"use strict";
{
  const known = new Map();
  let waiting;
  const suggest = async (field) => {
    const address = `${field.form.action}/titles?q=${encodeURIComponent(field.value.trim().toLowerCase())}`;
    if (!known.has(address)) {
      known.set(address, fetch(address).then((reply) => (reply.ok ? reply.json() : [, []])).catch(() => [, []]));
    }
    const [, titles] = await known.get(address);
    const list = document.getElementById("titles") ?? document.createElement("datalist");
    list.id = "titles";
    list.replaceChildren(...titles.map((title) => new Option("", title)));
    field.after(list);
    field.setAttribute("list", list.id);
  };
  addEventListener("input", ({ target }) => {
    if (!target.matches?.('[role="search"] [name="q"]')) return;
    clearTimeout(waiting);
    if (target.value.trim().length > 1) waiting = setTimeout(suggest, 200, target);
  });
}
