// What pages keep of somebody's tables in this browser, under names that begin alike.
import { storeItem, loadItem } from "./storage.js";

const BOOK = "kibitz-kept-";
/** Entries that wait, ticks, wishes: all that is of one evening. */
const PRIVATE = [BOOK, "kibitz-book-", "kibitz-ready-", "kibitz-water-"];
const SIGN = "kibitz-forget";
let isForgotten = false;

// A page that is still open elsewhere puts nothing back.
addEventListener("storage", ({ key, newValue }) => { isForgotten ||= Boolean(key?.startsWith(BOOK)) && newValue === null; });

/** Keeps what a book's page needs to go on without a network. */
export function keepBook(id, book) {
  if (!isForgotten) storeItem(BOOK + id, JSON.stringify(book));
}

/** A book as it was kept; null if it was not. */
export function keptBook(id) {
  return JSON.parse(loadItem(BOOK + id, "null"));
}

/** The ids of all books that were kept. */
export function keptBookIds() {
  return keys().filter((key) => key.startsWith(BOOK)).map((key) => key.slice(BOOK.length));
}

/** After a log-out the server's sign tells the next page to forget; `root` is where the server is. */
export function forgetIfTold(root) {
  if (!document.cookie.split("; ").some((each) => each.startsWith(`${SIGN}=`))) return;
  for (const key of keys().filter((each) => PRIVATE.some((name) => each.startsWith(name)))) localStorage.removeItem(key);
  document.cookie = `${SIGN}=; Max-Age=0; Path=${root || "/"}; SameSite=Strict`;
}

/** Private windows may have none. */
function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
