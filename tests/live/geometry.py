"""Judges a drawn page by its geometry: what a reader sees wrong, in words."""

from __future__ import annotations

from playwright.sync_api import Page

WIDTHS = (320, 390, 768, 1280, 1920)
HEIGHT = 900

_JUDGE = r"""async () => {
  await document.fonts.ready
  const faults = new Set()
  const root = document.documentElement
  const rootSize = parseFloat(getComputedStyle(root).fontSize)
  const rightToLeft = getComputedStyle(root).direction === "rtl"
  const styles = new Map()
  const style = element => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element))
    return styles.get(element)
  }
  const name = element => {
    const own = element.id ? "#" + element.id : [...element.classList].map(c => "." + c).join("")
    const text = (element.innerText || element.value || "").trim().replace(/\s+/g, " ")
    return `${element.localName}${own} “${text.slice(0, 40)}”`
  }
  const isShown = element =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const above = function* (element) {
    for (let each = element; each; each = each.parentElement) yield each
  }
  // Also what only screen readers tell.
  const isSetAside = element => element.closest(".skip:not(:focus), .trap")
    || [...above(element)].some(each => style(each).clipPath === "inset(50%)")
  const scrolls = element => /auto|scroll/.test(style(element).overflowX)
  const clips = element => /hidden|clip/.test(style(element).overflowX + style(element).overflowY)
  const scroller = element => {
    for (const each of above(element)) if (each !== root && scrolls(each)) return each
    return null
  }

  // The lines of text that readers see, each with its element.
  const lines = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.data.trim() || !isShown(element) || isSetAside(element)) continue
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) {
      if (box.width > 1 && box.height > 1) lines.push({ node, element, box })
    }
  }

  const outside = box => box.right > innerWidth + 1 || box.left < -1
  for (const { element, box } of lines) {
    if (outside(box) && !scroller(element)) faults.add(`overflow: ${name(element)}`)
    for (const each of above(element)) {
      if (each === root || each === document.body) break
      if (scrolls(each)) break
      if (!clips(each)) continue
      const edge = each.getBoundingClientRect()
      const cut = Math.max(edge.left - box.left, box.right - edge.right,
        // The height of a line is that of its font, more than that of its letters.
        edge.top - box.top - box.height / 4, box.bottom - edge.bottom - box.height / 4)
      if (cut > 1) faults.add(`clipped: ${name(element)}`)
    }
  }
  for (const element of document.querySelectorAll("body *")) {
    if (!isShown(element) || isSetAside(element)) continue
    if (scrolls(element) && outside(element.getBoundingClientRect())) {
      if (!scroller(element.parentElement)) faults.add(`overflow: ${name(element)}`)
    }
    if (element.matches("img, input, select, textarea, button, table, pre, video, svg")) {
      const box = element.getBoundingClientRect()
      if (outside(box) && !scroller(element)) faults.add(`overflow: ${name(element)}`)
    }
  }
  if (root.scrollWidth > innerWidth) faults.add(`overflow: the page is ${root.scrollWidth} px wide`)

  // A table fits a phone; what scrolls shows a shadow at its edge.
  for (const each of document.querySelectorAll(".table:has(> table), pre")) {
    const over = each.scrollWidth - each.clientWidth
    if (over <= 1 || !isShown(each)) continue
    if (innerWidth >= 388 && each.localName !== "pre" && rootSize < 20) {
      faults.add(`table: ${over} px too wide`)
    }
    if (each.tabIndex < 0) faults.add("table: cannot be scrolled by keyboard")
    if (!/gradient/.test(style(each).backgroundImage)) faults.add("table: no sign that it scrolls")
  }
  // Above code stands the button that copies it.
  for (const each of document.querySelectorAll(".copy + pre, pre:has(+ .copy)")) {
    const button = each.parentElement.querySelector(".copy").getBoundingClientRect()
    const code = each.getBoundingClientRect()
    const isOver = button.bottom > code.top + 1.5 && button.top < code.bottom
    if (isOver) faults.add("copy: over the code")
  }

  // The lines of a heading stand at one distance, and no marked word reaches those beside it.
  for (const each of document.querySelectorAll("main :is(h1, h2, h3, h4)")) {
    const { height } = each.getBoundingClientRect(), line = parseFloat(style(each).lineHeight)
    if (!isShown(each) || isSetAside(each) || each.querySelector("img")) continue
    if (Math.abs(height / line - Math.round(height / line)) > 0.05) {
      faults.add(`leading: ${name(each)} is ${height} px high, in lines of ${line}`)
    }
  }
  for (const each of document.querySelectorAll("main :not(pre) mark")) {
    const line = parseFloat(style(each).lineHeight)
    if (each.getClientRects()[0]?.height > line) faults.add(`mark: higher than its line of ${line}`)
  }

  // Two texts overlap if the middle of their lines does.
  const middles = lines
    .map(({ node, element, box }) => ({
      node, element, left: box.left + 1, right: box.right - 1,
      top: box.top + box.height * 0.3, bottom: box.bottom - box.height * 0.3,
    }))
    .filter(({ element }) => !scroller(element))
    .sort((a, b) => a.top - b.top)
  for (let i = 0; i < middles.length; i++) {
    const first = middles[i]
    for (let j = i + 1; j < middles.length && middles[j].top < first.bottom; j++) {
      const second = middles[j]
      const meet = first.left < second.right && second.left < first.right
      if (meet && first.node !== second.node && !onTop(first.element, second.element)) {
        faults.add(`overlap: ${name(first.element)} and ${name(second.element)}`)
      }
    }
  }
  function onTop(first, second) {  // An open menu and the bar at the foot cover what is behind.
    const menu = each => each.closest("details[open] > :not(summary), [popover]")
    const layer = each => each.closest(".bottom-bar") ||
      (menu(each) && style(menu(each)).position === "absolute" && menu(each))
    return layer(first) !== layer(second)
  }

  // A link in a sentence is as high as its line; all other targets need room for a finger.
  const target = element => {
    const label = /checkbox|radio/.test(element.type) && element.labels[0]
    if (label) return label.getBoundingClientRect()  // it is a part of the target
    const after = getComputedStyle(element, "::after")
    const stretched = after.position === "absolute" && after.content !== "none"
    return (stretched ? element.offsetParent : element).getBoundingClientRect()
  }
  const isInSentence = element => {
    if (style(element).display !== "inline") return false
    let block = element.parentElement
    while (style(block).display === "inline") block = block.parentElement
    const around = block.innerText.trim().length - element.innerText.trim().length
    return around > 1
  }
  const primary =
    ".button, button, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])," +
    " header summary, header .wide a, header .menu nav a, .countries a, .languages a"
  const targets = "a[href], button, input, select, textarea, summary"
  for (const element of document.querySelectorAll(targets)) {
    if (!isShown(element) || isSetAside(element) || element.type === "hidden") continue
    if (element.matches(".anchor") || isInSentence(element)) continue
    const box = target(element)
    const least = element.matches(primary) ? 44 : 24
    const [width, height] = [box.width, box.height].map(Math.round)
    if (height < least || width < 24) {
      faults.add(`target: ${name(element)} is ${width} × ${height} px, not ${least}`)
    }
  }

  // Reading order: headings and the entries of menus are drawn in the order of the document.
  const start = box => (rightToLeft ? -box.right : box.left)
  const isBefore = (box, other) => {  // whether the second of two is drawn before the first
    const sameLine = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 4
    if (sameLine) return start(other) < start(box) - 4
    const sameColumn = Math.min(box.right, other.right) - Math.max(box.left, other.left) > 4
    return sameColumn && other.bottom <= box.top + 1
  }
  const inOrder = (elements, label) => {
    const shown = elements.filter(each => isShown(each) && !isSetAside(each))
    shown.slice(1).forEach((element, index) => {
      const [box, other] = [shown[index], element].map(each => each.getBoundingClientRect())
      if (isBefore(box, other)) faults.add(`order: ${label} ${name(element)}`)
    })
  }
  inOrder([...document.querySelectorAll("main :is(h1, h2, h3, h4)")], "heading")
  for (const menu of document.querySelectorAll("nav")) {
    inOrder([...menu.querySelectorAll("a[href]")], "menu entry")
  }
  inOrder([...document.querySelectorAll("body > header, body > main, body > footer")], "part")
  return [...faults]
}"""

_CONTRAST = r"""() => {
  const faults = new Set()
  const channels = text => {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number)
    return /^color\(srgb/.test(text)
      ? [red * 255, green * 255, blue * 255, alpha] : [red, green, blue, alpha]
  }
  const over = ([red, green, blue, alpha], [r, g, b]) =>
    [red, green, blue].map((each, index) => each * alpha + [r, g, b][index] * (1 - alpha))
  const luminance = colour => {
    const [red, green, blue] = colour.map(each => {
      const part = each / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const background = element => {
    const layers = []
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each)
      if (/url\(/.test(style.backgroundImage)) return null  // a picture
      const colour = channels(style.backgroundColor)
      if (colour[3] > 0) layers.push(colour)
      if (colour[3] === 1) break
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255])
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!node.data.trim() || !isShown || element.closest(".skip, .hidden, .trap, .anchor")) continue
    const style = getComputedStyle(element), below = background(element)
    if (!below) continue
    const above = over(channels(style.color), below)
    const [dark, light] = [luminance(above), luminance(below)].sort((a, b) => a - b)
    const ratio = (light + 0.05) / (dark + 0.05)
    const size = parseFloat(style.fontSize), isBold = parseInt(style.fontWeight) >= 700
    const least = size >= 24 || (isBold && size >= 18.66) ? 3 : 4.5
    if (ratio < least - 0.01) {
      faults.add(`contrast: ${element.localName} “${node.data.trim().slice(0, 40)}” has ` +
        `${ratio.toFixed(2)}, not ${least}`)
    }
  }
  return [...faults]
}"""


def geometry_faults(page: Page) -> list[str]:
    """Return what is wrong with the current page as it is drawn.

    Texts and fields beyond the viewport, cut off or on top of each other; targets too small for a
    finger; headings and menus in another order than in the document. What scrolls on its own may
    be wider than the viewport.
    """
    faults: list[str] = page.evaluate(_JUDGE)
    return faults


def contrast_faults(page: Page) -> list[str]:
    """Return the texts of the current page with too little contrast to their background."""
    faults: list[str] = page.evaluate(_CONTRAST)
    return faults


def enlarge_text(page: Page) -> None:
    """Draw the current page with text of 200 %."""
    page.evaluate("document.documentElement.style.setProperty('font-size', '32px')")


def set_width(page: Page, width: int) -> None:
    """Draw the current page at another width."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
