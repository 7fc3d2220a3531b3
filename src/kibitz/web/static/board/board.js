// The drawing on the page: where its elements are, what stands on them, and its layers.
import { draw, nodes } from "../lib/dom.js";
import { mergeChildren } from "../lib/patch_dom.js";
import { copy, stripes } from "./marks.js";

export class Board {
  constructor(stage) {
    this.stage = stage;
    this.svg = null;
    this.hits = new Map();
    this.held = null;
  }

  /** A whole new drawing. */
  show(markup) {
    const focused = this.svg?.contains(document.activeElement);
    const svg = /** @type {SVGSVGElement} */ (nodes(markup).firstElementChild);
    svg.querySelector("title")?.remove(); // A tooltip over the whole board; aria-label says it too.
    svg.prepend(stripes());
    svg.append(draw("g", { class: "l-advice", "pointer-events": "none" }), draw("g", { class: "l-ours" }));
    this.stage.replaceChildren(svg);
    this.svg = svg;
    const { width, height } = svg.viewBox.baseVal;
    document.body.classList.toggle("upright", height > width * 1.3);
    this.findHits();
    if (focused) this.hits.get(this.cursor)?.focus();
  }

  findHits() {
    this.hits = new Map([...this.svg.querySelectorAll("[data-el]")].map((hit) => [hit.dataset.el, hit]));
    for (const hit of this.hits.values()) hit.setAttribute("tabindex", "-1");
    this.setCursor(this.hits.has(this.cursor) ? this.cursor : [...this.hits.keys()][0]);
  }

  /** The layers that changed. */
  merge(layers) {
    for (const [name, markup] of Object.entries(layers)) {
      const wanted = draw("g");
      wanted.innerHTML = markup;
      mergeChildren(this.layer(name), wanted);
    }
    if ("hit" in layers) this.findHits();
  }

  /** Another drawing of the same shape, of which only what differs is changed. */
  become(markup) {
    const layers = nodes(markup).firstElementChild.querySelectorAll(":scope > g[class^=l-]");
    this.merge(Object.fromEntries([...layers].map((layer) => [layer.getAttribute("class").slice(2), layer.innerHTML])));
  }

  layer(name) {
    return this.svg.querySelector(`:scope > .l-${name}`);
  }

  /** The middle and the size of an element, in the drawing's own units; null if it has no place. */
  place(element) {
    const hit = this.hits.get(element);
    if (!hit) return null;
    const { x, y, width, height } = hit.getBBox();
    return { x: x + width / 2, y: y + height / 2, width, height, size: Math.min(width, height) };
  }

  /** The square under something that cannot be touched itself, such as a ball on it: ball-g4, sq-g4. */
  ground(element) {
    return this.hits.has(element) ? element : element.replace(/^[a-z]+-/, "sq-");
  }

  /** The piece on an element; of a reserve or a tray, the one that goes next. */
  piece(element) {
    const exact = this.exactPiece(element);
    if (exact || /^(sq|t)-/.test(element)) return exact;
    const all = [...this.svg.querySelectorAll(`[id^="${CSS.escape(`pc-${element}`)}"]`)];
    return all.at(element.startsWith("rs-") ? -1 : 0) ?? null;
  }

  /** What lies there and cannot be touched itself, such as a ball. */
  loose(element) {
    return this.exactPiece(element.replace(/^sq-/, "ball-"));
  }

  /** In whichever layer it is. */
  exactPiece(element) {
    return this.svg.querySelector(`#${CSS.escape(`pc-${element}`)}`);
  }

  /** Whether most of these elements are in the upper half. */
  isBusyAbove(elements) {
    const { y, height } = this.svg.viewBox.baseVal;
    const places = [...elements].map((element) => this.place(element)).filter(Boolean);
    return places.filter((place) => place.y < y + height / 2).length > places.length / 2;
  }

  /** What a screen reader calls an element. */
  name(element) {
    const hit = this.hits.get(element);
    const named = hit?.getAttribute("aria-labelledby");
    const by = named && document.getElementById(named);
    return by?.getAttribute("aria-label") ?? hit?.getAttribute("aria-label") ?? element;
  }

  /** From the screen to the drawing. */
  point(x, y) {
    return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  /** A piece in the hand: its picture follows the pointer. */
  hold(piece) {
    this.letGo();
    const picture = copy(piece, 0, 0, piece.getBBox().width * 1.08, 0.9);
    const size = picture.getAttribute("transform").match(/scale\(.*\)/)[0];
    this.held = { piece, picture, size };
    this.layer("ours").append(picture);
    piece.setAttribute("opacity", 0.35);
  }

  carry({ x, y }) {
    if (!this.held) return;
    Object.assign(this.held, { x, y });
    this.held.picture.setAttribute("transform", `translate(${x} ${y}) ${this.held.size}`);
  }

  letGo() {
    this.held?.picture.remove();
    this.held?.piece.removeAttribute("opacity");
    this.held = null;
  }

  at(x, y) {
    const under = document.elementFromPoint(x, y)?.closest("[data-el]");
    return this.svg.contains(under) ? under.dataset.el : null;
  }

  /** Which elements answer to a touch, and what each would do. */
  light(next, held, tell) {
    for (const [element, hit] of this.hits) {
      hit.classList.toggle("lit", next.has(element));
      hit.classList.toggle("held", held.has(element));
      if (next.has(element)) hit.setAttribute("aria-description", tell(element));
      else hit.removeAttribute("aria-description");
    }
  }

  setCursor(element) {
    this.hits.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = element;
    this.hits.get(element)?.setAttribute("tabindex", "0");
  }

  /** The orange box, above everything. */
  drawCursor() {
    const ours = this.layer("ours");
    ours?.querySelector(".cursor")?.remove();
    const hit = this.hits.get(this.cursor);
    if (!hit || document.activeElement !== hit || !hit.matches(":focus-visible")) return;
    const { x, y, width, height } = this.place(this.cursor);
    ours.append(draw("rect", {
      class: "cursor", x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2,
      rx: 10, fill: "none", stroke: "var(--spark)", "stroke-width": 4,
    }));
  }
}
