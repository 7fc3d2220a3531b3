// The curtain: a device that several share is handed over before it shows what only one may see.
import { make, nodes } from "../lib/dom.js";

const curtain = document.getElementById("curtain");
const stage = [document.querySelector(".top"), document.getElementById("table")];
let down = "";

/** `sentences` are what everybody has just witnessed; it is read before the device is handed on. */
export function dropCurtain({ seat, title, text, button, glyph }, sentences, does) {
  for (const each of stage) each.inert = true;
  const news = sentences.map((sentence) => make("p", {}, sentence));
  if (down === seat) {
    curtain.querySelector(".news").append(...news);
    curtain.querySelector("button").disabled = false; // What was said before may have been lost.
    return;
  }
  down = seat;
  curtain.style.setProperty("--seat", colour(glyph));
  const lift = make("button", { class: "btn pri", type: "button", onclick: () => { lift.disabled = true; does(seat); } }, button);
  curtain.replaceChildren(make("div", { class: "panel" },
    make("div", { class: "news" }, ...news),
    make("span", { class: "glyph" }, nodes(glyph)),
    make("h2", { id: "curtain-title" }, title),
    make("p", { id: "curtain-text" }, text),
    lift));
  curtain.hidden = false;
  lift.focus({ focusVisible: false });
}

/** True if it was down. */
export function raiseCurtain() {
  if (!down) return false;
  down = "";
  for (const each of stage) each.inert = false;
  curtain.hidden = true;
  curtain.replaceChildren();
  return true;
}

export function curtainIsDown() {
  return Boolean(down);
}

/** The seat's own colour is the first of its picture that has soft and deep shades. */
function colour(glyph) {
  const styles = getComputedStyle(document.documentElement);
  const names = [...glyph.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name);
  return `var(--${names.find((name) => styles.getPropertyValue(`--${name}-soft`)) ?? "accent"})`;
}
