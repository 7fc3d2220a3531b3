// How entries leave a book again: before they were sent by a touch, afterwards by a ruling.
import { button } from "../../board/prompt.js";
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { closeSheet, openSheet } from "../../lib/overlay/dialog.js";
import { entryText } from "../entries.js";

/** The latest entry that can still be taken out before anybody sees it, or null. */
export function unsentEntry({ queue }) {
  return queue.entries.findLast(({ key }) => key !== queue.flying) ?? null;
}

/** What has not left this phone comes first: it needs no ruling. */
export function undoLatest(book) {
  const unsent = unsentEntry(book);
  if (unsent) takeOut(book, unsent);
  else backTo(book, book.log.lines.length - 1);
}

export function takeOut(book, entry) {
  openSheet(say("book-undo"), make("div", { class: "sure" },
    make("ul", { class: "gone" }, make("li", {}, entryText(book, entry))),
    make("p", { class: "sm mut" }, say("book-take-out-hint")),
    button({ label: say("book-take-out"), kind: "pri wide big", icon: "undo", does: () => { closeSheet(); book.queue.remove(entry.key); } })));
}

/** Everything after line `n` is taken out of the book by a ruling, with a reason; its rows stay. */
export function backTo(book, n) {
  const gone = book.log.lines.slice(n);
  if (!gone.length) return;
  const field = make("input", { class: "field", maxlength: 200, value: say("book-reason-wrong"), "aria-label": say("book-why"), required: true });
  const form = make("form", { class: "sure", onsubmit: (event) => {
    event.preventDefault();
    closeSheet();
    book.requests.send([`back ${n} because ${field.value.trim() || say("book-reason-wrong")}`], { seat: "referee" });
  } },
  make("ul", { class: "gone" }, ...gone.slice(-6).reverse().map(({ text }) => make("li", {}, text)),
    gone.length > 6 && make("li", { class: "mut" }, say("book-and-more", { n: gone.length - 6 }))),
  make("p", { class: "sm mut" }, say("book-undo-hint")),
  field,
  make("button", { class: "btn pri wide big" }, icon("undo"), say(gone.length > 1 ? "book-go-back" : "book-undo-this")));
  openSheet(say(gone.length > 1 ? "book-back-to" : "book-undo"), form);
}
