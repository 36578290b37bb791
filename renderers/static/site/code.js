"use strict";
{
  const { copy, copied } = document.querySelector("main").dataset;
  for (const block of navigator.clipboard ? document.querySelectorAll("main pre") : []) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "copy",
      textContent: copy,
    });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = copied;
      setTimeout(() => (button.textContent = copy), 2000);
    });
    const frame = Object.assign(document.createElement("div"), { className: "coded" });
    block.replaceWith(frame);
    frame.append(button, block);
  }
  const links = [...document.querySelectorAll(':is(.contents, .manual) a[href^="#"]')];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    const passed = headings.filter((each) => each.getBoundingClientRect().top < innerHeight / 4);
    const current = passed.length ? `#${passed[passed.length - 1].id}` : "";
    for (const link of links) {
      if (decodeURIComponent(link.hash) === current) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
