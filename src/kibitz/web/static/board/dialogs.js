// Lists and questions of a match that open in a sheet, whoever is around it: what may I do, the keys,
// the moves, an action in notation, are you sure.
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { keysAreOn, switchKeys } from "./keyboard.js";
import { button } from "./prompt.js";

const DIGIT_PAUSE_MS = 700;

/** Whether the only move there is plays itself: as somebody chose, else as is usual for the game. */
export function forcedMovesPlay({ plays_forced_moves: isUsual }) {
  const chosen = localStorage.getItem("kibitz-only");
  return chosen ? chosen === "on" : isUsual;
}

export function switchForcedMoves(isOn) {
  localStorage.setItem("kibitz-only", isOn ? "on" : "off");
}

/** An action in notation, as a record has it. */
export function openNotationInput(send) {
  const field = make("input", { class: "typed mono", "aria-label": say("type"), autocomplete: "off", spellcheck: false });
  const form = make("form", { class: "sure", onsubmit: (event) => {
    event.preventDefault();
    closeSheet();
    if (field.value.trim()) send([field.value.trim()], null);
  } }, make("p", { class: "mut" }, say("type-hint")), field,
  make("div", { class: "row" }, make("button", { class: "btn pri" }, say("type-send"))));
  openSheet(say("type"), form);
  field.focus();
}

export function askConfirmation(label, question, does, kind = "bad") {
  openSheet(question, make("div", { class: "sure" }, make("div", { class: "row" },
    button({ label: say("no"), does: closeSheet }),
    button({ label, kind, does: () => { closeSheet(); does(); } }))));
}

/** What may come next, numbered. Digits choose. */
export function openWhat(rows, choose) {
  if (!rows.length) {
    openSheet(say("what"), make("p", { class: "mut" }, say("nothing-to-do")));
    return;
  }
  const pick = (i) => { closeSheet(); choose(rows[i].element); };
  const list = make("ol", { class: "numbered" }, ...rows.map(({ label }, i) =>
    make("li", {}, make("button", { class: "btn", onclick: () => pick(i) }, make("span", { class: "kbd" }, String(i + 1)), label))));
  let typed = "";
  let timer = 0;
  const dialog = openSheet(say("what"), list, { onClose: () => dialog.removeEventListener("keydown", digits) });
  dialog.addEventListener("keydown", digits);
  list.querySelector("button").focus();

  function digits({ key }) {
    if (!/^\d$/.test(key)) return;
    clearTimeout(timer);
    typed += key;
    const number = Number(typed);
    if (number < 1 || number > rows.length) typed = "";
    else if (number * 10 > rows.length) pick(number - 1);
    else timer = setTimeout(() => pick(number - 1), DIGIT_PAUSE_MS);
  }
}

/** Offers may have keys of their own. */
export function openKeyboardHelp({ offers = [], buttons = {} }) {
  const withKeys = offers.filter(({ key }) => key);
  const own = new Map(withKeys.map(({ key, path, label }) => [key === " " ? say("space") : key.toUpperCase(), buttons[path[0]] ?? label]));
  const keys = [
    ["← ↑ ↓ →", say("key-arrows")], ["Enter", say("key-enter")], ["⌫", say("key-back")], ["Esc", say("key-drop")], ["N P", say("key-next")],
    ["W", say("key-what")], ["K", say("key-why")], ["L", say("key-last")], ["S", say("key-state")], ["C", say("key-clocks")], ["M", say("key-moves")],
    ["T", say("key-chat")], ["[ ]", say("key-replay")], ...own, ["?", say("key-help")],
  ];
  const box = make("input", { type: "checkbox", checked: keysAreOn(), onchange: ({ target }) => switchKeys(target.checked) });
  openSheet(say("keyboard"), [
    make("dl", { class: "keylist" }, ...keys.flatMap(([key, what]) =>
      [make("dt", {}, make("span", { class: "kbd" }, key)), make("dd", {}, what)])),
    make("label", { class: "check" }, box, say("keys-on")),
  ]);
}

/** The list of moves, lent to the sheet while that is open. */
export function openMoves(list) {
  const home = list.parentElement;
  const before = list.nextElementSibling;
  openSheet(say("moves"), list, { onClose: () => home.insertBefore(list, before) });
  const body = list.parentElement;
  body.scrollTop = body.scrollHeight;
}
