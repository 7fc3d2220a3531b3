// What can be entered at any time, with or without a network: how it reads, what is sent of it, and
// how it is changed where the book refused it. An entry is kept as it was meant, not as it was sent.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { stepper } from "./stepper.js";

export const FORMS = { jag: "Jag bor i hembo", vi: "Vi bor i hembo" };
export const SIZES = [1, 2, 3, 4];
/** In the place of a team: nobody remembers whose mine it was, or no colour is chosen yet. */
export const UNKNOWN = "-";

/** An entry as a sentence, in the reader's language. */
export function entryText(book, entry) {
  const name = (seat) => book.teams.name(seat);
  const piece = (seat, times) => pieceOf(book, seat, times);
  switch (entry.kind) {
    case "done": return say("book-says-done", { team: name(entry.team), n: entry.n });
    case "call": return say("book-says-call", { team: name(entry.team), sentence: FORMS[entry.form] });
    case "note": return say("book-says-note", { text: entry.text });
    case "eaten": return say("book-says-eaten", {
      eater: piece(entry.eater, entry.eater_times), victim: piece(entry.victim, entry.victim_times),
      team: name(entry.victim), n: entry.eater_times * entry.victim_times });
    case "mine": return say("book-says-mine", {
      mover: piece(entry.mover, entry.times), mine: piece(entry.mine, entry.mine_times),
      team: name(entry.mover), n: entry.times * entry.mine_times });
    case "raise": return entry.victim
      ? say("book-says-raise-eating", { team: name(entry.team), victim: piece(entry.victim, entry.victim_times), other: name(entry.victim),
          n: entry.victim_times })
      : say("book-says-raise", { team: name(entry.team) });
    case "hembo": return say({
      said: "book-says-hembo-said", missed: "book-says-hembo-missed", wrong: "book-says-hembo-wrong", uncalled: "book-says-hembo-uncalled",
    }[entry.how], { team: name(entry.team) });
    case "won": return say("book-says-won", { team: name(entry.team) });
  }
  throw new Error(`no such entry: ${entry.kind}`);
}

/** A team's piece by how many it contains; one of a team that nobody remembers. */
export function pieceOf(book, team, times) {
  return team === UNKNOWN ? say("book-piece-unknown", { times }) : say("book-piece", { team: book.teams.name(team), times });
}

/** Whose penalties an entry changes, and by how many; what was done is fewer owed. */
export function penaltyChange(entry) {
  switch (entry.kind) {
    case "done": return { team: entry.team, n: -entry.n };
    case "eaten": return { team: entry.victim, n: entry.eater_times * entry.victim_times };
    case "mine": return { team: entry.mover, n: entry.times * entry.mine_times };
    case "raise": return { team: entry.victim, n: entry.victim_times ?? 0 };
    case "hembo": return { team: entry.team, n: entry.how === "said" ? 0 : 1 };
  }
  return { team: "", n: 0 };
}

/** What is sent: the one action of the game. */
export function entryAction(entry) {
  switch (entry.kind) {
    case "done": return `${entry.team} done ${entry.n}`;
    case "call": return `${entry.team} hembo ${entry.form}`;
    case "note": return `note ${JSON.stringify(entry.text)}`;
    case "eaten": return `led eat ${entry.eater}${entry.eater_times} ${entry.victim}${entry.victim_times}`;
    case "mine": return `led mine ${entry.mover}${entry.times} ${entry.mine}${entry.mine_times}`;
    case "raise": return `led raise ${entry.team}${entry.victim ? ` ${entry.victim}${entry.victim_times}` : ""}`;
    case "hembo": return `led hembo ${entry.team} ${entry.how}`;
    case "won": return `led won ${entry.team}${entry.why === undefined ? "" : ` ${JSON.stringify(entry.why)}`}`;
  }
  throw new Error(`no such entry: ${entry.kind}`);
}

/** Asks for the same entry once more; `does` gets it. */
export function editEntry(book, entry, does) {
  const finish = (made) => { closeSheet(); does(made); };
  if (entry.kind === "note") return askNote(entry.text, (text) => finish({ ...entry, text }));
  if (entry.kind === "done") return askDone(book, entry, finish);
  const rows = alike(book, entry).map((made) => make("button", { class: "btn", type: "button", onclick: () => finish(made) }, entryText(book, made)));
  openSheet(say("book-change"), make("div", { class: "choices" }, ...rows));
}

/** What may have been meant instead, where it is one of a few things. */
function alike(book, entry) {
  const teams = book.seats;
  if (entry.kind === "call") return teams.flatMap((team) => Object.keys(FORMS).map((form) => ({ ...entry, team, form })));
  if (entry.kind === "hembo") return ["said", "missed", "wrong", "uncalled"].map((how) => ({ ...entry, how }));
  if (entry.kind === "eaten") return SIZES.flatMap((eater_times) => SIZES.map((victim_times) => ({ ...entry, eater_times, victim_times })));
  if (entry.kind === "mine") return SIZES.flatMap((times) => SIZES.map((mine_times) => ({ ...entry, times, mine_times })));
  return teams.map((team) => ({ kind: entry.kind, team }));
}

function askDone(book, entry, does) {
  let n = entry.n;
  openSheet(say("book-change"), make("div", { class: "sure" },
    stepper(say("book-done-how-many", { team: book.teams.name(entry.team) }), n, 1, (chosen) => { n = chosen; }),
    button({ label: say("book-write"), kind: "pri wide", icon: "check", does: () => does({ ...entry, n }) })));
}

export function askNote(text, does) {
  const field = make("textarea", { class: "field", rows: 3, maxlength: 300, required: true, "aria-label": say("book-note") });
  field.value = text;
  const form = make("form", { class: "sure", onsubmit: (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    closeSheet();
    does(field.value.trim());
  } }, make("p", { class: "mut" }, say("book-note-hint")), field, make("button", { class: "btn pri wide" }, icon("check"), say("book-write")));
  openSheet(say("book-note"), form);
  field.focus();
}
