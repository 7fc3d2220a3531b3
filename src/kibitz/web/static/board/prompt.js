// The bar under the board: what is going on, and at most three buttons.
import { icon, make } from "../lib/dom.js";
import { stillPicture } from "./refusal.js";

const bar = document.getElementById("prompt");
const glyph = document.getElementById("prompt-glyph");
const title = document.getElementById("prompt-title");
const hint = document.getElementById("prompt-hint");
const buttons = document.getElementById("prompt-buttons");

/** What has just come where something else was does nothing for so long: the tap was meant for that. */
const FRESH_MS = 400;

/**
 * A button to be made; `element` is what it touches. On the right are those that go on with what is
 * being chosen; on the left is what leads back, and what is done at once.
 * @typedef {object} Button
 * @property {string} [label]
 * @property {string} [name]
 * @property {string} [icon]
 * @property {string} [kind]
 * @property {string} [element]
 * @property {string} [id]
 * @property {boolean} [disabled]
 * @property {boolean} [goesOn]
 * @property {boolean} [isFirst]
 * @property {(event?: any) => unknown} does
 */

/**
 * `say` and `more` are texts.
 * @param {{ say: string, more?: string, picture?: string, link?: Node, offers?: Button[], kind?: string }} prompt
 */
export function showPrompt({ say, more = "", picture = "", link = null, offers = [], kind = "" }) {
  bar.className = `prompt ${kind}`;
  if (glyph.dataset.shown !== picture) {
    glyph.replaceChildren(stillPicture(picture));
    glyph.dataset.shown = picture;
  }
  title.textContent = say;
  hint.replaceChildren(more, ...(link ? [" ", link] : []));
  showHalf(buttons.children[0], offers.filter(({ goesOn }) => !goesOn));
  showHalf(buttons.children[1], offers.filter(({ goesOn }) => goesOn));
}

/** Buttons that look the same stay the same: one that is replaced while it is pressed does nothing. */
function showHalf(half, offers) {
  const looks = offers.map((offer) => JSON.stringify(offer));
  const before = JSON.parse(half.dataset.looks ?? "[]");
  if (JSON.stringify(before) === JSON.stringify(looks)) {
    offers.forEach(({ does }, i) => { half.children[i].onclick = ripe(half.children[i], does); });
    return;
  }
  const focused = [...half.children].indexOf(document.activeElement);
  const fresh = offers.map((offer, i) => {
    const made = button(offer);
    made.onclick = ripe(made, offer.does);
    made.classList.toggle("fresh", before[i] !== looks[i] || half.children[i].classList.contains("fresh"));
    return made;
  });
  half.replaceChildren(...fresh);
  half.dataset.looks = JSON.stringify(looks);
  if (focused >= 0) (half.children[focused] ?? half.lastElementChild ?? primaryButton())?.focus();
  setTimeout(() => fresh.forEach((made) => made.classList.remove("fresh")), FRESH_MS);
}

/** What a button does once it is not fresh any more. */
function ripe(made, does) {
  return (event) => { if (!made.classList.contains("fresh")) does(event); };
}

/** @param {Button} button */
export function button({ label = "", name = null, icon: sign, kind = "", element = null, disabled = false, does }) {
  const attributes = { class: `btn ${kind}`, type: "button", "data-button": element, "aria-label": name, title: name, disabled, onclick: does };
  return make("button", attributes, sign && icon(sign), label);
}

/** The button that is touched for an element, and the one that plays what is chosen. */
export function buttonOf(element) {
  return buttons.querySelector(`[data-button="${CSS.escape(element)}"]`);
}

export function primaryButton() {
  return buttons.querySelector(".pri");
}
