// The bar under the board: what is going on, and at most three buttons.
import { icon, make } from "../lib/dom.js";
import { stillPicture } from "./refusal.js";

const bar = document.getElementById("prompt");
const glyph = document.getElementById("prompt-glyph");
const title = document.getElementById("prompt-title");
const hint = document.getElementById("prompt-hint");
const buttons = document.getElementById("prompt-buttons");

/**
 * A button to be made; `element` is what it touches.
 * @typedef {object} Button
 * @property {string} [label]
 * @property {string} [name]
 * @property {string} [icon]
 * @property {string} [kind]
 * @property {string} [element]
 * @property {string} [id]
 * @property {boolean} [disabled]
 * @property {(event?: any) => unknown} does
 */

/**
 * `say` and `more` are texts. The primary button comes last.
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
  // Buttons that look the same stay the same: one that is replaced while it is pressed does nothing.
  const look = JSON.stringify(offers);
  if (buttons.dataset.look === look) {
    offers.forEach(({ does }, i) => { buttons.children[i].onclick = does; });
    return;
  }
  const focused = [...buttons.children].indexOf(document.activeElement);
  buttons.replaceChildren(...offers.map(button));
  buttons.dataset.look = look;
  if (focused >= 0) (buttons.children[focused] ?? buttons.lastElementChild)?.focus();
}

/** @param {Button} button */
export function button({ label = "", name = null, icon: sign, kind = "", element = null, disabled = false, does }) {
  return make("button", { class: `btn ${kind}`, type: "button", "data-button": element, "aria-label": name, disabled, onclick: does }, sign && icon(sign),
    label);
}

/** The button that is touched for an element, and the one that plays what is chosen. */
export function buttonOf(element) {
  return buttons.querySelector(`[data-button="${CSS.escape(element)}"]`);
}

export function primaryButton() {
  return buttons.querySelector(".pri");
}
