// What an analysis board shows, as an address: the options, where it begins, and the actions from there.
import { ROOT } from "../../lib/paths.js";

const MAX_LETTERS = 2000;

/** `book` and `preset` are the options as the rule book has them, and as they are suggested. */
export function addressOf(game, { options, start }, actions, { book, preset }) {
  const chosen = JSON.stringify(changedOptions(options, book));
  const isSuggested = chosen === JSON.stringify(changedOptions(preset, book));
  return addressWith(game, {
    options: isSuggested ? "" : chosen,
    position: start === "start" ? "" : start,
    moves: actions.map(escapeText).join(","),
  });
}

export function addressWith(game, values) {
  const parts = Object.entries(values).filter(([, value]) => value || value === 0).map(([name, value]) => `${name}=${readableText(value)}`);
  return `${ROOT}/analysis/${game}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** Some programs cut what is longer. */
export function isShort(address) {
  return address.length + location.origin.length <= MAX_LETTERS;
}

/** The actions that an address has. */
export function readMoves(text) {
  return text ? text.split(",").map(decodeURIComponent) : [];
}

function escapeText(text) {
  return text.replace(/[%,]/g, encodeURIComponent);
}

/** With as little in percent as an address allows. */
function readableText(value) {
  return encodeURIComponent(value).replace(/%(2C|2F|3A|3B|40)/g, decodeURIComponent).replaceAll("%20", "+");
}

/** The options that are not as the book has them, in the order of their names. */
function changedOptions(options, book) {
  const names = Object.keys(options).filter((name) => JSON.stringify(options[name]) !== JSON.stringify(book[name]));
  return Object.fromEntries(names.sort().map((name) => [name, options[name]]));
}
