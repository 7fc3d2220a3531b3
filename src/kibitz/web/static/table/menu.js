// What opens in a sheet at a table: the menu and its questions, the result.
import { coordinatesAreOn, switchCoordinates } from "../board/coordinates.js";
import { askConfirmation, forcedMovesPlay, openKeyboardHelp, openNotationInput, switchForcedMoves } from "../board/dialogs.js";
import { keysAreOn, switchKeys } from "../board/keyboard.js";
import { button } from "../board/prompt.js";
import { openRules } from "../board/rules_drawer.js";
import { addressWith } from "../board/sharing/position_url.js";
import { icon, make, nodes } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { ROOT } from "../lib/paths.js";
import { settingsFields } from "../lib/settings/settings.js";
import { chatIsOn, switchChat } from "./chat.js";
import { sharedHintsAreOn, switchSharedHints, switchWarnings, warningsAreOn } from "./coach/choices.js";
import { mayInvite, openInvitations } from "./invite.js";
import { openEnvelope } from "./roles.js";
import { openTableShare } from "./share_table.js";

export { openMoves } from "../board/dialogs.js";

const TABLE = document.getElementById("table");
const RESULT = `${ROOT}/t/${TABLE.dataset.id}/result`;

/** `at()` is after how many actions the position is that is looked at. */
export function openMenu(view, { send, sendAround, moves, replay, hint, plan, at = () => latest(view) }) {
  const { undo, menu, table } = view;
  const item = (name, label, does, kind = "") => button({ icon: name, label, kind, does: () => { closeSheet(); does(); } });
  const link = (name, label, attributes) => make("a", { class: "btn", ...attributes }, icon(name), label);
  const themes = document.getElementById("themes").content.cloneNode(true);
  for (const radio of themes.querySelectorAll("input")) radio.checked = radio.value === theme();
  const commands = (fits) => table.menu.filter(fits).map((each) => item(iconOf(each), each.label, () => confirmCommand(each, sendAround)));
  const plays = view.seats.some((seat) => seat.is_mine);
  const rulings = [
    table.rulings_url && link("whistle", say("rulings"), { href: table.rulings_url }),
    ...commands((each) => groupOf(each) === "ruling"),
  ];
  openSheet(say("menu"), make("div", { class: "menu" },
    undo && item("undo", undo.label, () => send([undo.text])),
    ...(plays ? [] : rulings),
    ...coachItems(view, item, hint, plan),
    ...againstBots(view, item),
    ...commands((each) => groupOf(each) === "request"),
    view.outcome && link("book", say("to-result"), { href: RESULT }),
    item("rules", say("rules"), () => openRules(TABLE.dataset.rules)),
    item("sliders", say("settings"), () => openSettings(table)),
    ...menu.map(({ text, label, sure }) => item("flag", label, () => askConfirmation(label, sure, () => send([text], null)), "bad")),
    item("list", say("moves"), moves),
    item("before", say("replay"), replay),
    mayInvite() && !view.outcome && !table.bots.length && !table.is_seeking && item("link", say("invite"), () => openInvitations(view)),
    ...commands((each) => groupOf(each) === "host"),
    link("branch", say("analyse"), { href: analysis(at()) }),
    item("share", say("share-position"), () => openTableShare(at())),
    link("save", say("record"), { href: TABLE.dataset.record, download: "" }),
    item("type", say("type"), () => openNotationInput(send)),
    item("keys", say("keyboard"), () => openKeyboardHelp(view)),
    table.envelope && item(view.outcome ? "opened" : "envelope", say("envelope"), openEnvelope),
    ...(plays ? rulings : []),
    link("back", say("home"), { href: `${ROOT}/` }),
    themes), { kind: "corner" });
}

/** Help for whoever plays alone: against bots, or if they wish for both on one device. */
function coachItems({ acting, table, log, log_from: from }, item, hint, plan) {
  const hasBots = table.bots.length > 0;
  if (!table.may_hint || !acting || !(hasBots || sharedHintsAreOn())) return [];
  return [item("learn", say("hint"), hint), hasBots && from + log.length > 0 && item("bot", say("plan"), plan)];
}

/** A new match and another level, for whoever plays against bots alone. */
function againstBots({ outcome, table }, item) {
  if (!table.bots.length) return [];
  return [
    item("again", say("new-game"), () => (outcome ? startAgain() : askConfirmation(say("new-game"), say("new-game-sure"), () => startAgain(), "pri"))),
    table.bots.length > 1 && item("up", say("level"), () => openLevels(table.bots)),
  ];
}

/** Everybody chooses whom to play next; a fresh table has the same settings. */
export function openLevels(bots) {
  openSheet(say("level"), make("div", { class: "menu" }, make("p", { class: "mut" }, say("level-hint")),
    ...bots.map(({ bot, name, is_current: isCurrent }) => make("button", { class: `btn ${isCurrent ? "soft" : ""}`, type: "button",
      "aria-current": isCurrent ? "true" : null, onclick: () => startAgain(bot) }, icon("bot"), name))));
}

/** Against this bot, or the same one. */
function startAgain(bot = "") {
  const form = make("form", { method: "post", action: `${ROOT}/t/${TABLE.dataset.id}/again`, hidden: true },
    make("input", { type: "hidden", name: "bot", value: bot }));
  document.body.append(form);
  form.submit();
}

const REQUEST = /^(sit |(ask )?(break|resume|continue|draw|rematch|referee|bookkeeper)\b)/;

/** What a line of the menu is: something among players, the host's, or a ruling. */
function groupOf({ text, needs_reason: needsReason }) {
  if (needsReason) return "ruling";
  return REQUEST.test(text) ? "request" : "host";
}

/** What somebody chose for this browser. */
function openSettings(table) {
  const check = (label, isOn, change) => make("label", { class: "check" },
    make("input", { type: "checkbox", checked: isOn, onchange: ({ target }) => change(target.checked) }), label);
  openSheet(say("settings"), make("div", { class: "menu" },
    settingsFields(),
    check(say("only"), forcedMovesPlay(table), switchForcedMoves),
    document.querySelector("#stage .coordinates") && check(say("coordinates"), coordinatesAreOn(), switchCoordinates),
    table.may_hint && (table.bots.length
      ? check(say("warn-setting"), warningsAreOn(), switchWarnings)
      : check(say("hint-setting"), sharedHintsAreOn(), switchSharedHints)),
    check(say("chat-show"), chatIsOn(), switchChat),
    check(say("keys-on"), keysAreOn(), switchKeys)));
}

const ICONS = {
  "ask adjourn": "away", "ask break": "pause", "ask resume": "play", "ask continue": "act", "ask rematch": "again", "ask fill-in": "bot",
  "ask referee": "whistle", "ask bookkeeper": "book",
};

function iconOf({ text }) {
  const [first, second] = text.split(" ");
  const byFirst = {
    bot: "bot", "remove-bot": "people", sit: "people", abort: "close", adjourn: "away", break: "pause", resume: "play", continue: "act", ask: "people",
  };
  return ICONS[`${first} ${second}`] ?? byFirst[first] ?? "flag";
}

/** Something around the match: to be sure, and with a reason where others have to live with it. */
export function confirmCommand({ text, label, sure, needs_reason: needsReason }, send) {
  if (/^(ask )?(break|resume)$/.test(text)) send([text]);
  else if (needsReason) askReason(label, (why) => send([`${text} because ${why}`]));
  else askConfirmation(label, sure, () => send([text]), "pri");
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

/** The analysis board of this match, after so many actions or at its end. */
function analysis(n) {
  return addressWith(TABLE.dataset.game, { table: TABLE.dataset.id, n });
}

function latest({ log, log_from: from }) {
  return from + log.length;
}

function theme() {
  return ["dark", "light"].find((name) => document.documentElement.classList.contains(name)) ?? "system";
}

/** `counted` are the wins and losses against the same opponent, if any; `next` the buttons for what may come after. */
export function openResult({ title, why, motto, opponent }, glyph, counted, next) {
  openSheet(title, make("div", { class: "result" },
    make("span", { class: "glyph" }, nodes(glyph)),
    make("p", { class: "big", "aria-hidden": "true" }, title),
    make("p", { class: "mut" }, why),
    motto && make("p", { class: "motto" }, motto),
    counted && make("p", { class: "series num" }, say("record-against", { name: opponent, ...counted })),
    make("div", { class: "row" },
      make("a", { class: "btn soft wide", href: RESULT }, icon("book"), say("to-result")),
      button({ label: say("look-at-board"), icon: "eye", does: closeSheet }),
      make("a", { class: "btn", href: analysis() }, icon("branch"), say("analyse")),
      ...next.map((each) => button({ ...each, does: () => { closeSheet(); each.does(); } })))), { kind: "ending" });
}
