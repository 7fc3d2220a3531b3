// The level of the bots that somebody plays against, kept by the browser.
import { loadItem, storeItem } from "./storage.js";

const NAME = "level";

/** The level chosen last, or `otherwise`. */
export function chosenLevel(otherwise) {
  const level = loadItem(NAME, "");
  return /^level-[1-5]$/.test(level) ? level : otherwise;
}

export function rememberLevel(level) {
  storeItem(NAME, level);
}

/** Fields that ask for a level get the one that was chosen. */
export function fillInLevel(within) {
  for (const field of within.querySelectorAll("[data-level]")) field.value = chosenLevel(field.value);
}
