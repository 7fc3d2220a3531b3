// A number with a button for one fewer and one for one more.
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

/** It never falls below `least`; `does` is told of every change. */
export function stepper(label, n, least, does) {
  const number = make("output", { class: "big num" }, String(n));
  const step = (by) => () => {
    n = Math.max(least, n + by);
    number.textContent = String(n);
    does(n);
  };
  return make("div", { class: "stepper" }, make("b", { class: "sp" }, label),
    make("button", { class: "btn only", type: "button", "aria-label": say("book-fewer"), onclick: step(-1) }, icon("minus")), number,
    make("button", { class: "btn only", type: "button", "aria-label": say("book-more"), onclick: step(1) }, icon("plus")));
}
