// An analysis board: a match that somebody plays by themselves, on all sides and in many lines.
import { askConfirmation, openKeyboardHelp, openMoves, openNotationInput } from "../board/dialogs.js";
import { PositionEditor } from "../board/edit_position.js";
import { drawAdvice } from "../board/marks.js";
import { MatchView } from "../board/match_view.js";
import { button } from "../board/prompt.js";
import { closeRules, openRules } from "../board/rules_drawer.js";
import { addressOf, addressWith, isShort, readMoves } from "../board/sharing/position_url.js";
import { openShare } from "../board/sharing/share_position.js";
import { showStatus } from "../board/status.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { closePopover } from "../lib/overlay/popover.js";
import { showConnectionLost, showToast } from "../lib/overlay/toast.js";
import { API, ROOT } from "../lib/paths.js";
import { showSeats } from "../table/seats.js";
import { randomRoll, openRollChoice } from "./choose_roll.js";
import { AnalysisConnection } from "./connection.js";
import { Evaluation } from "./evaluation.js";
import { MoveTreeView } from "./move_tree_view.js";
import { readRecord } from "./record_file.js";
import { Scrubber } from "./scrubber.js";
import { openSetUp } from "./setup.js";

const DEBOUNCE_MS = 200;
const find = (id) => document.getElementById(id);
const { game, rules: ruleBook } = find("table").dataset;
const rules = JSON.parse(find("rules").textContent);

/** The trees that were set up, so that the browser's own way back leads to them. */
const trees = new Map();
let tree = 0;
/** The table that was come from, and its record. */
let source = null;
let addressing = 0;

const line = new AnalysisConnection(game, { onMessage, onWait, onMove: showMove });
const editing = new PositionEditor(line, (position) => begin({ ...line.tree.base, start: position }));
const match = new MatchView(line, {
  onArrive,
  onSettle,
  takes,
  prompt: () => editing.prompt(),
  restButtons: chanceButtons,
  endButtons: () => [],
  keys: { moves: openLines, replay: step, drop: () => closePopover() || match.gestures.leave() },
});
const lines = new MoveTreeView(find("log"), find("tools"), {
  goTo: (node) => { closeSheet(); line.goTo(node); },
  beside: (by) => go(line.tree.beside(by)),
  promote: () => { line.tree.promote(); showMove(); },
  remove: () => askConfirmation(say("branch-delete"), say("branch-delete-sure"), () => line.goTo(line.tree.remove())),
});
const walk = new Scrubber(find("walk"), { goTo: (n) => line.goTo(line.tree.further(n - line.tree.at.depth)), step, moves: openLines });

const evaluation = new Evaluation(find("evaluation"), find("evaluate"), {
  here: () => ({ game, ...line.here, table: isOfTable() && !source.key ? source.table : "" }),
  play: (actions) => match.isFree && (actions.length ? match.outgoing.send(actions, null) : chooseChance()),
  advise,
});

/** An arrow for what somebody would do here. */
function advise(actions) {
  const offer = actions && match.picker.matching([]).find((each) => each.actions.join() === actions.join());
  if (match.board.svg) drawAdvice(match.board, offer);
}

// From the line

function onMessage(message) {
  match.receive(message.type === "view" ? editing.withoutOffers(message) : message);
}

function onWait(seconds) {
  const kept = line.pending ? `. ${say("connection-kept")}` : "";
  showConnectionLost(seconds === null ? "" : say("connection-lost", { seconds }) + kept);
}

function showMove() {
  lines.show(line.tree);
  walk.show(line.tree.at.depth, line.tree.line.length);
  trees.set(tree, line.tree);
  clearTimeout(addressing);
  addressing = setTimeout(() => history.replaceState({ tree }, "", address()), DEBOUNCE_MS);
}

// From the match

function onArrive(view) {
  view.latest = line.tree.at.words;
  showSeats(find("seats"), view.seats, view.status, Boolean(view.outcome));
  showStatus(view.status);
}

/** Where nobody else has anything to do, chance is asked for at once. */
function onSettle(view) {
  evaluation.look();
  if (line.chance.length && !view.acting && !view.outcome && !line.tree.at.children.length && !editing.isOn) chooseChance();
}

/** A touch that is not for the match: by hand, or what chance does. */
function takes(element) {
  if (editing.isOn) return editing.touch(element, match.board.hits.get(element));
  const left = match.isFree && !match.picker.path.length ? match.picker.matching([element]) : [];
  if (!left.length || left.some(({ actions }) => actions.length)) return false;
  chooseChance(match.board.hits.get(element));
  return true;
}

function chanceButtons() {
  if (!line.chance.length || line.pending || match.view.acting) return [];
  return [
    { label: say("chance-choose"), does: () => chooseChance() },
    { label: say("chance-random"), icon: "again", kind: "pri", does: () => match.outgoing.send([randomRoll(line.chance)], null) },
  ];
}

function chooseChance(at = find("prompt")) {
  openRollChoice(line.chance, at, (text) => match.outgoing.send([text], null));
}

// Along the lines

function step(by) {
  go(line.tree.further(by));
}

function go(node) {
  if (node && node !== line.tree.at) line.goTo(node);
}

function openLines() {
  if (getComputedStyle(find("side")).display !== "none") {
    find("log").focus();
    return;
  }
  openMoves(find("lines"));
  lines.show(line.tree);
}

// What is set up

/** Something new to look at; says what is wrong with it, if anything. */
async function load({ options, start, actions = [], n = actions.length }) {
  const wrong = await begin({ options, start }, actions, n);
  if (!wrong?.number) return wrong?.message ?? "";
  const left = await begin({ options, start }, actions.slice(0, wrong.number - 1), n);
  showToast(say("stops-at", { n: wrong.number, why: wrong.message }));
  return left?.message ?? "";
}

/** A new tree, which the browser's way back leads away from again. */
async function begin(base, actions = [], n = actions.length) {
  const before = line.tree;
  const wrong = await line.begin(base, actions, n);
  if (wrong || !before) return wrong;
  clearTimeout(addressing);
  trees.set(tree, before);
  tree = Math.max(...trees.keys()) + 1;
  trees.set(tree, line.tree);
  history.pushState({ tree }, "", address());
  return null;
}

/** Whether what is shown was played at the table that was come from. */
function isOfTable(actions = line.tree.actions()) {
  return Boolean(source) && line.tree.base.start === source.start && actions.every((text, i) => source.actions[i] === text);
}

/** A link to what is shown. Where that is a move of a table's record it is short. */
function address() {
  const actions = line.tree.actions();
  return isOfTable(actions) ? addressWith(game, { table: source.table, key: source.key, n: actions.length }) : link();
}

/** One that needs no table. */
function link() {
  const { base } = line.tree;
  const whole = addressOf(game, base, line.tree.actions(), rules);
  return isShort(whole) || line.drawn.node !== line.tree.at ? whole : addressOf(game, { ...base, start: line.position }, [], rules);
}

/** What the address asks for; the start where that cannot be had. It may ask for what was better there, and for an evaluation. */
async function open() {
  const asked = new URLSearchParams(location.search);
  const wrong = await requestedLine(asked).then(load).catch(({ message }) => message);
  if (!wrong && asked.has("evaluate")) evaluation.switch(true);
  if (!wrong) return void advise(readMoves(asked.get("better")));
  await load({ options: rules.preset, start: "start" });
  showToast(wrong);
}

/** A match that is over is read by whoever has the key of its result. */
function recordAddress(table, key) {
  return key ? `${ROOT}/t/${table}/result/${key}/record` : `${API}/tables/${table}/record`;
}

async function requestedLine(asked) {
  const [table, n] = [asked.get("table"), asked.get("n")];
  if (table) {
    const key = asked.get("key") ?? "";
    const answer = await fetch(recordAddress(encodeURIComponent(table), encodeURIComponent(key))).catch(() => null);
    if (!answer?.ok) throw new Error(say("record-hidden"));
    const record = readRecord(await answer.text(), game);
    source = { table, key, ...record };
    return { ...record, n: n === null ? record.actions.length : Number(n) || 0 };
  }
  const options = asked.has("options") ? JSON.parse(asked.get("options")) : rules.preset;
  return { options, start: asked.get("position") || "start", actions: readMoves(asked.get("moves")) };
}

function setUp() {
  openSetUp({ game, options: line.tree.base.options, position: line.position }, load);
}

async function loadFile(file) {
  try {
    const why = await load(readRecord(await file.text(), game));
    if (why) showToast(why);
  } catch ({ message }) {
    showToast(message);
  }
}

async function share() {
  const drawing = await line.drawing();
  if (drawing) await openShare({ name: `${game}-${line.tree.at.depth}`, drawing, link: location.origin + link(), position: line.position });
}

// The menu

function openMenu() {
  const item = (name, label, does, kind = "") => button({ icon: name, label, kind, does: () => { closeSheet(); does(); } });
  const themes = find("themes").content.cloneNode(true);
  const chosen = ["dark", "light"].find((name) => document.documentElement.classList.contains(name)) ?? "system";
  for (const radio of themes.querySelectorAll("[name=theme]")) radio.checked = radio.value === chosen;
  themes.querySelector("[name=back]").value = address();
  openSheet(say("menu"), make("div", { class: "menu" },
    item("seek", say("evaluate"), () => evaluation.switch(), evaluation.isOn ? "soft" : ""),
    item("sliders", say("set-up"), setUp),
    item("hand", say("edit"), () => editing.begin()),
    item("share", say("share-position"), share),
    item("list", say("lines"), openLines),
    item("rules", say("rules"), () => openRules(ruleBook)),
    item("type", say("type"), () => openNotationInput((actions) => match.outgoing.send(actions, null))),
    item("keys", say("keyboard"), openKeyboardHelp),
    make("a", { class: "btn", href: `${ROOT}/` }, icon("back"), say("home")),
    themes), { kind: "corner" });
}

for (const [id, does] of Object.entries({ "open-menu": openMenu, evaluate: () => evaluation.switch(), "open-set-up": setUp,
  "open-edit": () => editing.begin(), "open-share": share, turn: openLines })) {
  find(id).addEventListener("click", () => match.view && does());
}
find("open-rules").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!closeRules()) openRules(ruleBook);
});
addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  loadFile(file);
});
addEventListener("popstate", ({ state }) => {
  const kept = trees.get(state?.tree);
  if (!kept) return void open();
  tree = state.tree;
  line.turnTo(kept);
});
open();
