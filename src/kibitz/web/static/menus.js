// The lists and questions that open in a sheet: the menu, are you sure, what may I do, the keys,
// the moves, the result.
import { openEnvelope } from "./around.js";
import { icon, make, nodes } from "./element.js";
import { mayInvite, openInvitations } from "./gather.js";
import { keysAreOn, switchKeys } from "./keyboard.js";
import { button } from "./prompt.js";
import { openRules } from "./reading.js";
import { closeSheet, openSheet } from "./sheet.js";
import { say } from "./words.js";

const TABLE = document.getElementById("table");
const DIGITS_WITHIN = 700;

export function openMenu(seen, { send, sendAround, moves }) {
  const { undo, menu, table } = seen;
  const item = (name, label, does, kind = "") => button({ icon: name, label, kind, does: () => { closeSheet(); does(); } });
  const link = (name, label, attributes) => make("a", { class: "btn", ...attributes }, icon(name), label);
  const themes = document.getElementById("themes").content.cloneNode(true);
  for (const radio of themes.querySelectorAll("input")) radio.checked = radio.value === theme();
  openSheet(say("menu"), make("div", { class: "menu" },
    undo && item("undo", undo.label, () => send([undo.text])),
    mayInvite() && !seen.outcome && item("link", say("invite"), () => openInvitations(seen)),
    ...table.menu.map((each) => item(iconOf(each), each.label, () => askAround(each, sendAround))),
    item("list", say("moves"), moves),
    item("rules", say("rules"), () => openRules(TABLE.dataset.rules)),
    item("copy", say("position"), openPosition),
    link("save", say("record"), { href: TABLE.dataset.record, download: "" }),
    item("type", say("type"), () => openTyping(send)),
    item("keys", say("keyboard"), openKeys),
    table.envelope && item(seen.outcome ? "opened" : "envelope", say("envelope"), openEnvelope),
    ...menu.map(({ text, label, sure }) => item("flag", label, () => askSure(label, sure, () => send([text], null)), "bad")),
    link("back", say("home"), { href: "/" }),
    make("label", { class: "check" }, make("input", { type: "checkbox", checked: onlyIsOn(), onchange: ({ target }) => switchOnly(target.checked) }), say("only")),
    themes), { kind: "corner" });
}

const ICONS = { "ask adjourn": "pause", "ask continue": "act", "ask rematch": "again", "ask keep": "bot", "ask referee": "whistle", "ask bookkeeper": "book" };

function iconOf({ text }) {
  const [first, second] = text.split(" ");
  return ICONS[`${first} ${second}`] ?? { bot: "bot", open: "people", sit: "people", abort: "close" }[first] ?? (first === "ask" ? "people" : "flag");
}

/** Something around the match: to be sure, and with a reason where others have to live with it. */
export function askAround({ text, label, sure, reason }, send) {
  if (reason) askReason(label, (why) => send([`${text} because ${why}`]));
  else askSure(label, sure, () => send([text]), "pri");
}

function askReason(label, does) {
  const field = make("input", { class: "field", "aria-label": say("reason"), maxlength: 200, required: true, autocomplete: "off" });
  const form = make("form", { class: "sure", onsubmit: (event) => {
    event.preventDefault();
    closeSheet();
    does(field.value.trim());
  } }, make("p", { class: "mut" }, say("reason-hint")), field,
  make("div", { class: "row" }, button({ label: say("no"), does: closeSheet }), make("button", { class: "btn pri" }, label)));
  openSheet(label, form);
  field.focus();
}

/** Whether the only choice there is makes itself. */
export function onlyIsOn() {
  return localStorage.getItem("kibitz-only") === "on";
}

function switchOnly(isOn) {
  localStorage.setItem("kibitz-only", isOn ? "on" : "off");
}

/** An action in notation, as a record has it. */
function openTyping(send) {
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

/** The position as text, to be pasted into a message. */
async function openPosition() {
  const field = make("textarea", { class: "position mono", readonly: true, rows: 4, "aria-label": say("position"), onfocus: ({ target }) => target.select() });
  const answer = await fetch(TABLE.dataset.position).catch(() => null);
  if (!answer?.ok) {
    openSheet(say("position"), make("p", { class: "mut" }, say("no-answer")));
    return;
  }
  field.value = (await answer.text()).trim();
  const copy = button({
    label: say("copy"), icon: "copy", kind: "pri",
    does: async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        copy.replaceChildren(icon("check"), say("copied"));
      } catch {
        field.focus(); // Selected, so that the reader's own copy works.
      }
    },
  });
  openSheet(say("position"), make("div", { class: "sure" }, field, make("div", { class: "row" }, copy)));
}

function theme() {
  return ["dark", "light"].find((name) => document.documentElement.classList.contains(name)) ?? "system";
}

export function askSure(label, question, does, kind = "bad") {
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
  const dialog = openSheet(say("what"), list, { closed: () => dialog.removeEventListener("keydown", digits) });
  dialog.addEventListener("keydown", digits);
  list.querySelector("button").focus();

  function digits({ key }) {
    if (!/^\d$/.test(key)) return;
    clearTimeout(timer);
    typed += key;
    const number = Number(typed);
    if (number < 1 || number > rows.length) typed = "";
    else if (number * 10 > rows.length) pick(number - 1);
    else timer = setTimeout(() => pick(number - 1), DIGITS_WITHIN);
  }
}

export function openKeys() {
  const keys = [
    ["← ↑ ↓ →", "arrows"], ["Enter", "enter"], ["⌫", "back"], ["Esc", "drop"], ["N P", "next"],
    ["W", "what"], ["K", "why"], ["L", "last"], ["M", "moves"], ["?", "help"],
  ];
  const box = make("input", { type: "checkbox", checked: keysAreOn(), onchange: ({ target }) => switchKeys(target.checked) });
  openSheet(say("keyboard"), [
    make("dl", { class: "keylist" }, ...keys.flatMap(([key, id]) =>
      [make("dt", {}, make("span", { class: "kbd" }, key)), make("dd", {}, say(`key-${id}`))])),
    make("label", { class: "check" }, box, say("keys-on")),
  ]);
}

/** The list of moves, lent to the sheet while that is open. */
export function openMoves(list) {
  const home = list.parentElement;
  const before = list.nextElementSibling;
  openSheet(say("moves"), list, { closed: () => home.insertBefore(list, before) });
  const body = list.parentElement;
  body.scrollTop = body.scrollHeight;
}

/** `next` are the buttons for what may come after. */
export function openResult({ title, why }, glyph, next) {
  openSheet(title, make("div", { class: "result" },
    make("span", { class: "glyph" }, nodes(glyph)),
    make("p", { class: "big", "aria-hidden": "true" }, title),
    make("p", { class: "mut" }, why),
    make("div", { class: "row" },
      button({ label: say("look-at-board"), icon: "eye", does: closeSheet }),
      ...next.map((each) => button({ ...each, does: () => { closeSheet(); each.does(); } })))), { kind: "ending" });
}
