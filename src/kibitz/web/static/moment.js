// What was hidden has just been shown: a card over the board says so, and goes by itself.
import { icon, make } from "./element.js";

const card = document.getElementById("moment");
const LEAST = 2600;
const PER_LETTER = 55;
const MOST = 12000;
let timer = 0;

/** `low`: at the lower end of the board, where the upper one is needed. */
export function showMoment(sentences, low) {
  card.replaceChildren(...sentences.map((sentence) => make("p", {}, sentence)), icon("close", "s"));
  card.classList.toggle("low", low);
  card.hidden = false;
  card.classList.remove("pop");
  void card.offsetWidth; // So that the next one comes in anew.
  card.classList.add("pop");
  clearTimeout(timer);
  timer = setTimeout(hideMoment, Math.min(MOST, LEAST + PER_LETTER * sentences.join(" ").length));
}

export function hideMoment() {
  clearTimeout(timer);
  card.hidden = true;
  card.replaceChildren();
}

card.addEventListener("click", hideMoment);
