// The level of the bots that somebody plays against, and the levels they have opened by winning, kept
// by the browser.
import { loadItem, storeItem } from "./storage.js";

const NAME = "level";
const OPENED = "level-opened";

/** The level chosen last, or `otherwise`. */
export function chosenLevel(otherwise) {
  const level = loadItem(NAME, "");
  return /^level-[1-6]$/.test(level) ? level : otherwise;
}

export function rememberLevel(level) {
  storeItem(NAME, level);
}

/** Whether a level was opened by a win against the one below it, or one above. */
export function isOpen(level) {
  return numberOf(level) <= numberOf(loadItem(OPENED, ""));
}

export function openLevel(level) {
  if (!isOpen(level)) storeItem(OPENED, level);
}

function numberOf(level) {
  return Number(/^level-([1-6])$/.exec(level)?.[1] ?? 0);
}

/** Fields that ask for a level get the one that was chosen. */
export function fillInLevel(within) {
  for (const field of within.querySelectorAll("[data-level]")) field.value = chosenLevel(field.value);
}
