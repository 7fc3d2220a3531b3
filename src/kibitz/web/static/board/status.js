// What is always shown, the turn first: chips in the bar on top, on a phone between the seats.
import { make } from "../lib/dom.js";

const turn = document.getElementById("turn");
const more = document.getElementById("more");

export function showStatus([first = "", ...others]) {
  turn.hidden = !first;
  turn.textContent = first;
  more.replaceChildren(...others.map((text) => make("span", { class: "chip num" }, text)));
}
