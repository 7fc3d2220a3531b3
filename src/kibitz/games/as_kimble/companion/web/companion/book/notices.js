// What stands above the page of a book: a break, a request, and entries that wait or were refused.
import { button } from "../../board/prompt.js";
import { ruleLink } from "../../board/refusal.js";
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { breakStrip } from "../break_cover.js";
import { editEntry, entryText } from "../entries.js";
import { timeOf } from "./log.js";

export function noticesShown(book) {
  return [...breakShown(book), ...requestShown(book), ...waitingShown(book)];
}

/** On the tabs that a break does not cover. */
function breakShown(book) {
  return book.figures.break && book.tabs.current !== "turn" ? [breakStrip(book)] : [];
}

/** Somebody offers to be the referee, or to keep the book. */
function requestShown({ requests, view }) {
  const { request } = view.table;
  if (!request) return [];
  const send = (text) => () => requests.send([text], { isTimely: false });
  return [make("section", { class: "card asked", role: "status" },
    make("b", {}, request.title),
    request.is_mine && button({ label: say("cancel"), does: send("cancel") }),
    request.is_yours && !request.is_mine ? make("div", { class: "two" },
      button({ label: say("decline"), does: send("decline") }),
      button({ label: say("agree"), kind: "pri", does: send("agree") }))
      : make("p", { class: "sm mut" }, say("answer-awaited")))];
}

/** Entries on their way; one that was refused beside what the book says now. */
function waitingShown(book) {
  const { entries, stuck } = book.queue;
  if (!entries.length) return [];
  if (stuck) return [conflict(book, entries, stuck)];
  return book.isUp ? [] : [make("p", { class: "card waits-card", role: "status" }, icon("clock"),
    say(entries.length > 1 ? "book-waiting-many" : "book-waiting-one", { n: entries.length }))];
}

function conflict(book, entries, stuck) {
  const { queue } = book;
  const [first] = entries;
  return make("section", { class: "card conflict", role: "alert" },
    make("h2", {}, say("book-conflict")),
    make("dl", {},
      make("dt", {}, say("book-meant")), make("dd", {}, entryText(book, first), " ", make("time", { class: "mut num" }, timeOf(first.at))),
      make("dt", {}, say("book-says-now")), make("dd", {}, stuck.message, " ", ruleLink(stuck)),
      ...bookNow(book, first).map((text) => make("dd", { class: "sm mut" }, text))),
    entries.length > 1 && make("p", { class: "sm mut" }, say("book-behind", { n: entries.length - 1 })),
    make("div", { class: "three" },
      button({ label: say("book-leave-out"), does: () => queue.leaveOut() }),
      button({ label: say("book-change"), does: () => editEntry(book, first, (entry) => queue.change(entry)) }),
      button({ label: say("book-try-again"), kind: "pri", does: () => queue.tryAgain() })));
}

/** What the book says of those whom an entry is about. */
function bookNow({ figures: { owed, done }, log, teams }, entry) {
  const about = [entry.team, entry.victim, entry.mover].filter(Boolean);
  const stands = [...new Set(about)].map((team) => say("book-stands", { team: teams.name(team), owed: owed[team], done: done[team] }));
  const last = log.lines.at(-1);
  return [...stands, ...(last ? [say("book-last-was", { text: last.text })] : [])];
}

/** How many phones are at the table, and whether this one has a line. */
export function phonesChip({ info, isUp }) {
  const count = info.phones ?? 0;
  return make("span", { class: `chip num ${isUp ? "ok" : "off"}` }, icon("wifi", "s"),
    say(!isUp ? "book-offline" : count === 1 ? "book-phone" : "book-phone-count", { n: count }));
}
