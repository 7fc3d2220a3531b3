// The referee's page: everything here is written into the book with its reason, and nothing is deleted.
import { askConfirmation } from "../board/dialogs.js";
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { BoardCorrection } from "./fix_board.js";
import { stepper as stepperOf } from "./stepper.js";

const KINDS = {
  penalties: say("book-rule-penalties"), completed: say("book-rule-completed"), pieces: say("book-rule-pieces"), words: say("book-rule-words"),
};
const REASONS = [say("book-reason-bumped"), say("book-reason-break"), say("book-reason-wrong")];
let kind = "penalties";
let team = "";
let change = 1;
/** What is typed is kept here: the page is made anew while somebody types. */
let why = "";
let editing = null;

export function rulingsPage(book) {
  team ||= book.order[0];
  if (book.isLedger && kind === "pieces") kind = "penalties";
  return [
    make("h2", {}, say("book-ruling")),
    make("div", { class: "two", role: "group", "aria-label": say("book-ruling") },
      ...Object.entries(KINDS).filter(([each]) => each !== "pieces" || !book.isLedger).map(([each, name]) =>
        make("button", { class: `btn ${each === kind ? "soft" : ""}`, type: "button", "aria-pressed": String(each === kind),
          onclick: () => { kind = each; book.show(); } }, name))),
    ...(kind === "pieces" ? pieces(book) : counts(book)),
    book.info && settings(book),
  ];
}

// Penalties, and rulings that are only words

function counts(book) {
  const isCounted = kind === "penalties" || kind === "completed";
  return [
    isCounted && make("div", { class: "card counted" }, teams(book), stepper(book)),
    reason(book),
    make("button", { class: "btn pri wide big", type: "button", "data-key": "rule", disabled: !why.trim(), onclick: () => write(book) }, icon("whistle"),
      say("book-write-ruling")),
  ];
}

function teams(book) {
  return make("div", { class: "pick-team", role: "group", "aria-label": say("book-team") }, ...book.order.map((each) =>
    make("button", { type: "button", class: `team-${each}`, "aria-pressed": String(each === team), "aria-label": book.teams.name(each), "data-team": each,
      onclick: () => { team = each; book.show(); } }, book.teams.glyph(each))));
}

function stepper(book) {
  const before = book.figures[kind === "penalties" ? "owed" : "done"][team];
  // Nobody owes less than nothing, and no ruling changes nothing.
  change = before + change < 0 ? -before || 1 : change;
  const step = (by) => () => { change = change + by || by; book.show(); };
  const values = { team: book.teams.name(team), before, after: before + change };
  return make("div", {},
    make("div", { class: "stepper" }, make("b", { class: "sp" },
      say({ penalties: "book-changes-penalties", completed: "book-changes-completed" }[kind], values)),
    make("button", { class: "btn only", type: "button", "aria-label": say("book-fewer"), disabled: before + change <= 0 || (before === 0 && change === 1),
      onclick: step(-1) }, icon("minus")),
    make("output", { class: "big num" }, signedNumber(change)),
    make("button", { class: "btn only", type: "button", "aria-label": say("book-more"), onclick: step(1) }, icon("plus"))),
    make("p", { class: "sm mut num" }, say("book-becomes", values)));
}

function signedNumber(n) {
  return n < 0 ? `−${-n}` : `+${n}`;
}

/** A reason, typed or touched; those to touch are of real boards. */
function reason(book) {
  const label = book.info ? say("book-why") : say("ruling-why");
  const field = make("textarea", { class: "field", rows: 2, maxlength: 280, "data-key": "why", "aria-label": label,
    oninput: ({ target }) => { why = target.value; book.show(); } });
  const set = (text) => () => {
    why = text;
    document.querySelector("[data-key=why]").value = text;
    book.show();
  };
  return make("div", { class: "stack" }, make("b", { class: "sm" }, label), field,
    make("div", { class: "row wrap" }, ...(book.info ? REASONS : []).map((each) =>
      make("button", { class: "chip reason", type: "button", onclick: set(each) }, each))));
}

async function write(book) {
  const quoted = JSON.stringify(why.trim());
  const number = `${change < 0 ? "-" : "+"}${Math.abs(change)}`;
  const text = { penalties: `ref pen ${team} ${number} ${quoted}`, completed: `ref done ${team} ${number} ${quoted}`, words: `ref rule ${quoted}` }[kind];
  const { type } = await book.requests.send([text], { isTimely: false });
  if (type === "done") finish(book);
}

function finish(book) {
  why = "";
  change = 1;
  const field = document.querySelector("[data-key=why]");
  if (field) field.value = "";
  book.pass(say("book-ruled"));
  book.show();
}

// The board says otherwise

function pieces(book) {
  return [
    make("p", { class: "mut" }, say("book-otherwise")),
    button({ label: say("book-edit-board"), icon: "hand", kind: "pri wide big", does: () => editBoard(book) }),
  ];
}

/** The position by hand, then why; `after` is done when it is in the book. It has the penalties in it: nothing that
 * others enter meanwhile may be lost by it. */
export function editBoard(book, after = null) {
  editing ??= new BoardCorrection(book);
  editing.open(async (position, reason, seq) => {
    const { type } = await book.requests.send([`ref set ${JSON.stringify(position)} ${JSON.stringify(reason)}`], { seq });
    if (type === "stale") await editing.catchUp();
    if (type !== "done") return;
    editing.close();
    book.pass(say("book-ruled"));
    after?.();
  });
}

// How the book is kept

function settings(book) {
  const choose = (legend, choices, now, set) => make("fieldset", { class: "setting-row" }, make("legend", {}, legend),
    make("div", { class: "seg" }, ...Object.entries(choices).map(([value, label]) =>
      make("button", { type: "button", "aria-current": value === now ? "true" : null, onclick: () => value !== now && set(value) }, label))));
  return make("section", { class: "stack settings-of-book" },
    make("h2", {}, say("book-settings")),
    choose(say("book-depth"), { full: say("book-depth-full"), ledger: say("book-depth-ledger") }, book.info.depth, (value) => setDepth(book, value)),
    choose(say("book-entry"), { book: say("book-entry-book"), teams: say("book-entry-teams"), all: say("book-entry-all") }, book.info.entry,
      (value) => book.requests.send([`entry ${value}`], { isTimely: false })),
    button({ label: say("book-teams"), icon: "people", does: () => editTeams(book) }),
    endButton(book));
}

export function endButton(book) {
  return !book.view.outcome && button({ label: say("book-end"), icon: "flag", kind: "bad", does: () => askEnd(book) });
}

/** Without the board the position stays where it was; with it again, somebody has to say where things are. */
function setDepth(book, depth) {
  const send = () => book.requests.send([`depth ${depth}`], { isTimely: false });
  if (depth === "ledger") askConfirmation(say("book-depth-ledger"), say("book-to-ledger"), send, "pri");
  else editBoard(book, send);
}

function askEnd(book) {
  const field = make("input", { class: "field", maxlength: 280, required: true, "aria-label": say("book-why") });
  const form = make("form", { class: "sure", onsubmit: (event) => {
    event.preventDefault();
    closeSheet();
    book.requests.send([`ref end ${JSON.stringify(field.value.trim())}`], { isTimely: false });
  } }, make("p", { class: "mut" }, say("book-end-sure")), field, make("button", { class: "btn bad wide" }, icon("flag"), say("book-end")));
  openSheet(say("book-end"), form);
  field.focus();
}

/** Names and players may change during the night. */
function editTeams(book) {
  const rows = book.order.map((seat) => {
    const { name = "", players = [] } = book.info.teams[seat] ?? {};
    const called = make("input", { class: "field", maxlength: 32, value: name, placeholder: book.teams.colour(seat),
      "aria-label": say("book-team-name", { team: book.teams.colour(seat) }) });
    const chosen = { size: book.figures.sizes[seat], abstainers: new Set(book.info.teams[seat]?.abstainers ?? []) };
    const size = book.isSeated && stepperOf(say("book-size"), chosen.size, 1, (n) => { chosen.size = n; });
    const others = make("div", { class: "row wrap" });
    const showOthers = () => others.replaceChildren(...namesIn(who.value).map((each) => make("button", {
      class: "chip reason", type: "button", "aria-pressed": String(chosen.abstainers.has(each)),
      onclick: () => { if (!chosen.abstainers.delete(each)) chosen.abstainers.add(each); showOthers(); } }, each)));
    const who = make("input", { class: "field", maxlength: 400, value: players.join(", "), placeholder: say("book-players"),
      "aria-label": say("book-players-of", { team: book.teams.colour(seat) }), oninput: showOthers });
    showOthers();
    return { seat, called, who, chosen, before: { name, players, abstainers: [...chosen.abstainers] }, row: make("div",
      { class: `stack team-card team-${seat}`, role: "group", "aria-label": book.teams.name(seat) },
      make("div", { class: "row" }, book.teams.glyph(seat), called), who, size,
      players.length > 0 && make("p", { class: "xs mut" }, say("book-abstainers")), others) };
  });
  const save = async (event) => {
    event.preventDefault();
    closeSheet();
    for (const { seat, called, who, chosen, before } of rows) {
      const players = namesIn(who.value);
      const made = { name: called.value.trim(), players, abstainers: players.filter((each) => chosen.abstainers.has(each)) };
      if (JSON.stringify(made) !== JSON.stringify(before)) await book.requests.send([`team ${seat} ${JSON.stringify(made)}`], { isTimely: false });
      if (chosen.size !== book.figures.sizes[seat]) await book.requests.send([`size ${seat} ${chosen.size}`], { isTimely: false });
    }
  };
  openSheet(say("book-teams"), make("form", { class: "sure", onsubmit: save }, make("p", { class: "sm mut" }, say("book-teams-fixed")),
    ...rows.map(({ row }) => row), make("button", { class: "btn pri wide" }, icon("check"), say("book-save"))));
}

function namesIn(text) {
  return text.split(",").map((each) => each.trim()).filter(Boolean);
}
