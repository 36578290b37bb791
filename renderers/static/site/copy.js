"use strict";
for (const button of document.querySelectorAll("button[data-markdown]")) {
  const { markdown, copied } = button.dataset;
  const { clipboard } = navigator;
  button.parentElement.hidden = !clipboard;
  button.addEventListener("click", async () => {
    const text = fetch(markdown).then((reply) => (reply.ok ? reply.text() : Promise.reject()));
    // Safari lets a page copy only what it asks for at once, though the text comes later.
    const later = () => new ClipboardItem({ "text/plain": text.then((each) => new Blob([each], { type: "text/plain" })) });
    const before = button.textContent;
    await (globalThis.ClipboardItem ? clipboard.write([later()]) : text.then((each) => clipboard.writeText(each))).then(
      () => (button.textContent = copied),
      () => (location.href = markdown),
    );
    setTimeout(() => (button.textContent = before), 2000);
  });
}
