// A table on a page: the match, and the people, clocks and papers around it.
import { winner } from "../board/match/outcome.js";
import { MatchView } from "../board/match_view.js";
import { showPrompt } from "../board/prompt.js";
import { closeRules, openRules } from "../board/rules_drawer.js";
import { showStatus } from "../board/status.js";
import { announce } from "../lib/announce.js";
import { TALL } from "../lib/breakpoints.js";
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { openLevel } from "../lib/level.js";
import { closeSheet } from "../lib/overlay/dialog.js";
import { showConnectionLost, showToast } from "../lib/overlay/toast.js";
import { API, ROOT } from "../lib/paths.js";
import "../lib/preparing.js";
import { setTurn } from "../lib/pwa/notifications.js";
import { randomId } from "../lib/random_id.js";
import { play } from "../lib/sound/sound.js";
import { Chat } from "./chat.js";
import { Clocks } from "./clocks.js";
import { Hint } from "./coach/hint.js";
import { openPlan } from "./coach/plan.js";
import { Warning } from "./coach/warning.js";
import { TableConnection } from "./connection.js";
import { earlierLines } from "./earlier_lines.js";
import { addEntropy } from "./entropy.js";
import { showInvitations } from "./invite.js";
import { hintAtLessons, removeLessonHint } from "./learn_hint.js";
import { liveAddress } from "./live_address.js";
import { openMenu, openMoves, openResult } from "./menu.js";
import { MoveList } from "./move_list.js";
import { Replay } from "./replay.js";
import { requestOf, showRequest } from "./requests.js";
import { showRoles } from "./roles.js";
import { nameOf, showSeats } from "./seats.js";
import { countResult } from "./series.js";

const LOADING_MS = 3000;
const find = (id) => document.getElementById(id);
const table = find("table");

const line = new TableConnection(
  () => liveAddress(table.dataset.id, `is_tall=${TALL.matches ? 1 : 0}${knownView()}${chat.cursor()}`),
  { onMessage: (message) => chat.receive(message) || match.receive(message), onWait, onGone, onTooFast: (message) => chat.handleTooFast(message) },
);
const clocks = new Clocks(showTime);
const match = new MatchView(line, {
  onMessage,
  onArrive,
  onSettle,
  takes: () => { hint.clear(); return Boolean(warning.chosen); },
  holds: (choice) => warning.holds(choice),
  isHeld: () => clocks.dieDelay > 0,
  prompt,
  note: answerDue,
  restButtons,
  endButtons: () => [{ ...storyButton(), goesOn: true, isFirst: true }, { ...homeButton(), goesOn: true }, ...nextButtons()],
  showAgain: () => replay.again(match.view.recap_from),
  keys: { moves, clocks: tellClocks, chat: () => chat.go(), replay: (step) => replay.step(step) },
});
const chat = new Chat(line);
const hint = new Hint(match);
const warning = new Warning(match);
const log = new MoveList(find("log"), (n) => replay.goTo(n));
const replay = new Replay(match, log, `${API}/tables/${table.dataset.id}/positions`);

/** What the server need not send again: a drawing of this shape, where nobody hides from another. */
function knownView() {
  const { view, isTall } = match;
  const isKept = view && isTall === TALL.matches && !match.past && view.seats.filter((seat) => seat.is_mine).length < 2;
  return isKept ? `&since=${view.seq}` : "";
}

function onMessage(message) {
  if (match.view && message.type === "people") takePeople(message);
  if (match.view && message.type === "clock") clocks.take(message);
}

function onArrive(view, before) {
  clocks.stop(); // If it goes on, that is said next.
  if (hint.shown && (hint.shown.seq !== view.seq || view.curtain)) hint.clear();
  if (before?.seq !== view.seq) warning.drop();
  if (before && before.seq !== view.seq) removeLessonHint();
  if (view.outcome?.next_level) openLevel(view.outcome.next_level.form.bot);
  log.take(view.log, view.log_from, view.table.notes);
  if (log.isShort) fillLog(view.log_from);
  replay.tell();
  view.latest = log.entries.at(-1)?.text;
  showPeople(before);
  showStatus(view.status);
  setTurn(Boolean(view.acting) && !view.outcome, view.title);
}

async function fillLog(until) {
  log.isShort = false;
  for await (const lines of earlierLines(table.dataset.id, until)) log.fill(lines);
}

function onSettle(view, before) {
  if (!before) hintAtLessons(view);
  if (!before) lookAt(location.hash);
  if (view.outcome && before && !before.outcome) openResult(view.outcome, winner(view), countResult(table.dataset.id, table.dataset.game, view), nextButtons());
  if (before?.outcome && !view.outcome) closeSheet();
}

/** `#14` is the position after so many actions; `#14:t-4,t-9` has an arrow for what was better then. */
function lookAt(hash) {
  const [, n, way] = /^#(\d{1,6})(?::([\w,-]+))?$/.exec(hash) ?? [];
  if (n && Number(n) <= replay.last) replay.goTo(Number(n), way?.split(","));
}

/** Somebody came or went; the match is where it was. */
function takePeople({ seats, table: around }) {
  const before = { ...match.view };
  Object.assign(match.view, { seats, table: around }); // The same view: what it tells of goes on being shown.
  log.note(around.notes);
  showPeople(before);
}

function showPeople(before) {
  const { view } = match;
  const isResting = view.table.is_adjourned || view.table.is_waiting;
  showSeats(find("seats"), view.seats, view.status, isResting || Boolean(view.outcome), view.table.spectators);
  showRoles(view);
  addEntropy(table.dataset.id, view.table);
  chat.knows(view.seats, Boolean(view.outcome));
  showInvitations(view, sendAround);
  document.body.classList.toggle("rests", isResting && !view.outcome);
  if (before) pass(view.table.notes.slice(before.table.notes.length));
  // What is asked after the end is not to lie behind the result.
  if (before && !before.table.request && view.table.request && view.outcome) closeSheet();
  showTime();
  const isNew = before && !before.table.next && view.table.next;
  if (isNew && view.seats.some((seat) => seat.is_mine)) location.assign(view.table.next);
}

/** What people did is said in passing, unless the page says it anyhow; it stays in the log. */
function pass(notes) {
  if (notes.length && !match.view.table.is_adjourned) showToast(notes.map(({ text }) => text).join(". "));
}

/** All that counts down. */
function showTime() {
  const { board, picker, view } = match;
  if (!view) return;
  clocks.show(find("seats"));
  if (clocks.ticks(view.seats.filter((seat) => seat.is_mine).map(({ seat }) => seat))) play("tick");
  showRequest(requestOf(view, clocks, sendAround));
  if (!board.svg) return;
  if (clocks.answer !== null) match.bar.show();
  const held = match.isFree ? [...picker.next()].filter((element) => match.gestures.isHeld(element)) : [];
  clocks.drawDieDelay(board, held);
}

function tellClocks() {
  const left = clocks.clock && match.view.seats.map((each) => [nameOf(each), clocks.textOf(each.seat)]).filter(([, time]) => time);
  const times = left?.length ? left.map((each) => each.join(" ")).join(", ") : say("no-clock");
  announce("polite", times);
  showToast(times);
}

function onWait(seconds, isCrowded) {
  const kept = line.pending ? `. ${say("connection-kept")}` : "";
  const lost = isCrowded ? say("crowded") : say("connection-lost", { seconds });
  showConnectionLost(seconds === null ? "" : lost + kept);
}

let isSentAway = false;

function onGone(wasSentAway) {
  isSentAway = wasSentAway;
  if (match.view) match.close();
  showPrompt(prompt());
}

/** What is said instead of what may be done: that there is nothing left to do it at, or what is looked back at. */
function prompt() {
  if (line.isGone) return { say: say(isSentAway ? "sent-away" : "table-gone"), offers: [{ ...homeButton(), kind: "pri" }] };
  return replay.prompt() ?? warning.prompt() ?? hint.prompt();
}

/** Until when an answer is awaited, and what silence counts as. */
function answerDue() {
  if (clocks.answer === null) return "";
  const { default_answer: answer } = match.view;
  const seconds = Math.ceil(clocks.answer);
  return answer ? say("answer-counts-as", { answer, seconds }) : say("answer-due", { seconds });
}

/** What people do around the match is meant wherever it is. Who sits down adds to the dice. */
function sendAround([text]) {
  if (line.pending) return;
  match.outgoing.dispatch({ actions: [text.startsWith("sit ") ? `${text} ${randomId()}` : text] });
}

/** What brings a match back that rests, or somebody to a seat. */
function restButtons() {
  if (line.pending) return [];
  const { menu, is_waiting: isWaiting } = match.view.table;
  const sits = !isWaiting && menu.find(({ text }) => text.startsWith("sit "));
  const found = sits || menu.find(({ text }) => /^(ask )?(continue|resume)$/.test(text));
  return [...rulingButton(), ...(found ? [{ label: found.label, kind: "pri", does: () => sendAround([found.text]) }] : [])];
}

/** A referee who does not play has the rulings at hand. */
function rulingButton() {
  const { seats, table: { rulings_url: url } } = match.view;
  if (!url || seats.some((seat) => seat.is_mine)) return [];
  return [{ label: say("rulings"), icon: "whistle", does: () => location.assign(url) }];
}

/** After the end: once more, or on to the match that has come of it. */
function nextButtons() {
  const { seats, table: { request, menu, next } } = match.view;
  if (next) return [{ label: say("next-match"), kind: "pri", icon: "act", isFirst: true, does: () => location.assign(next) }];
  const isWanted = request?.text === "rematch" && request.is_yours;
  if (line.pending || !(isWanted || menu.some(({ text }) => text === "ask rematch"))) return [];
  const isAlone = seats.every((seat) => seat.is_mine || seat.bot);
  const higher = match.view.outcome?.next_level;
  const longer = menu.filter(({ text }) => text.startsWith("ask continue "));
  return [
    ...(higher ? [{ label: higher.label, kind: "pri", icon: "act", isFirst: true, does: () => openTable(higher.form) }] : []),
    { label: say(isAlone ? "play-again" : "menu-rematch"), kind: higher ? "" : "pri", icon: "again", isFirst: true, does: rematch },
    ...longer.map(({ text, label }) => ({ label, icon: "act", does: () => sendAround([text]) })),
  ];
}

/** Somebody may have been quicker to ask. */
function rematch() {
  sendAround([match.view.table.request?.text === "rematch" ? "agree" : "ask rematch"]);
}

/** Opens a table as a form of the first page does. */
function openTable(fields) {
  const inputs = Object.entries(fields).map(([name, value]) => make("input", { type: "hidden", name, value }));
  const form = make("form", { method: "post", action: `${ROOT}/tables`, hidden: true }, ...inputs);
  document.body.append(form);
  form.submit();
}

function homeButton() {
  return { label: say("home"), does: () => location.assign(`${ROOT}/`) };
}

function storyButton() {
  return { label: say("to-result"), icon: "book", does: () => location.assign(`${ROOT}/t/${table.dataset.id}/result`) };
}

function moves() {
  if (getComputedStyle(find("side")).display === "none") openMoves(find("log"));
  else find("log").focus();
}

find("open-menu").addEventListener("click", () => match.view && openMenu(match.view, {
  send: (actions, seat) => match.outgoing.send(actions, seat), sendAround, moves, replay: () => replay.open(),
  hint: () => hint.ask(), plan: () => openPlan(match),
  at: () => replay.at ?? replay.last,
}));
find("open-rules").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!closeRules()) openRules(table.dataset.rules);
});
find("turn").addEventListener("click", moves);
addEventListener("hashchange", () => lookAt(location.hash));
setTimeout(() => { if (!match.view) find("empty")?.querySelector("p")?.removeAttribute("hidden"); }, LOADING_MS);
line.open();
