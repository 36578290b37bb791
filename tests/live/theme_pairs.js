(variables) => {
  // Each variable gets a colour of its own, so that a text tells on which ground it stands.
  const colours = new Map();
  const css = variables.map((name, index) => {
    const colour = `rgb(${index + 1}, 1, 2)`;
    colours.set(colour, name);
    return `--${name}: ${colour} !important;`;
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root, pre, .callout { ${css.join(" ")} } * { transition: none !important; }`);
  document.adoptedStyleSheets = [sheet];
  const ground = (element) => {
    for (let node = element; node; node = node.parentElement) {
      if (node.tagName === "HTML") return "paper";
      const style = getComputedStyle(node);
      if (style.backgroundColor !== "rgba(0, 0, 0, 0)") {
        return colours.get(style.backgroundColor) ?? style.backgroundColor;
      }
      if (node.matches(".hero")) return "deep";
    }
    return "paper";
  };
  const pairs = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!texts.currentNode.data.trim() || !box.width || element.closest("option, script")) continue;
    const colour = getComputedStyle(element).color;
    pairs.add(`${colours.get(colour) ?? colour} on ${ground(element)}`);
  }
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    pairs.add(`${colours.get(getComputedStyle(field).color)} on ${ground(field)}`);
    const placeholder = getComputedStyle(field, "::placeholder").color;
    pairs.add(`${colours.get(placeholder) ?? placeholder} on ${ground(field)}`);
  }
  return [...pairs];
}
