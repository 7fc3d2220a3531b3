// A table on a page. It shows what it is sent and sends back texts; it knows no game and no rules.
import { showAround } from "./around.js";
import { showDown, showPassing } from "./banner.js";
import { Board } from "./board.js";
import { closeBubble, openBubble } from "./bubble.js";
import { Clocks } from "./clock.js";
import { dropCurtain, raiseCurtain } from "./curtain.js";
import { icon, make } from "./element.js";
import { entropy } from "./entropy.js";
import { showGathering } from "./gather.js";
import { listen as listenToKeys } from "./keyboard.js";
import { Log } from "./log.js";
import { clear, drawDrops, drawLast, drawPath, drawRefusal } from "./marks.js";
import { matterOf, showMatter } from "./matter.js";
import { onlyIsOn, openKeys, openMenu, openMoves, openResult, openWhat } from "./menus.js";
import { hideMoment, showMoment } from "./moment.js";
import { Motion } from "./motion.js";
import { distinct, Picker } from "./picker.js";
import { listen as listenToPointer } from "./pointer.js";
import { buttonOf, primaryButton, showPrompt } from "./prompt.js";
import { closeRules, openRules } from "./reading.js";
import { explained, ruleLink } from "./refusal.js";
import { showSeats } from "./seats.js";
import { closeSheet } from "./sheet.js";
import { Line } from "./socket.js";
import { showStatus } from "./status.js";
import { say } from "./words.js";

const TALL = matchMedia("(max-width: 699px)");
const DOCK = matchMedia("(max-width: 699px), (max-height: 500px)");
const LONG = 400;
const LOADING = 3000;
const ONLY = 700;
const BUTTON = "btn-";
const MOST_BUTTONS = 3;
const find = (id) => document.getElementById(id);
const table = find("table");
const pageTitle = document.title;
const kibitzer = document.querySelector(".top .mark").outerHTML;

const board = new Board(find("stage"));
const picker = new Picker();
const motion = new Motion();
const log = new Log(find("log"));
const line = new Line(
  () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/t/${table.dataset.id}/live?tall=${TALL.matches ? 1 : 0}${known()}`,
  { hears, waits, gone },
);
const clocks = new Clocks(showTime);
let seen = null;
/** Whether the drawing is the one for an upright phone. */
let isTall = false;
/** What was refused and is still shown, and where it was touched. */
let refused = null;
let asked = { key: null, element: "" };
let isSlow = false;
/** Something was sent that no sight has shown yet. */
let hasSent = false;

// From the server

/** What the server need not send again: a drawing of this shape, where nobody hides from another. */
function known() {
  const isKept = seen && isTall === TALL.matches && seen.seats.filter(({ mine }) => mine).length < 2;
  return isKept ? `&seen=${seen.seq}` : "";
}

function hears(message) {
  if (message.is === "sight") take(message);
  else if (!seen) return;
  else if (message.is === "people") takePeople(message);
  else if (message.is === "clock") clocks.take(message);
  else if (message.is === "refused") refuse(message);
  else if (message.is === "stale") showPassing(say("stale"));
  if (["refused", "stale"].includes(message.is)) hasSent = false;
  if (message.is !== "sight") refresh();
}

async function take(sight) {
  motion.finish();
  const before = seen;
  // What others do in secret meanwhile does not take away what is being chosen here.
  const isQuiet = !hasSent && sight.acting && isAlike(before?.offers, sight.offers);
  const isSame = before?.seq === sight.seq || isQuiet;
  hasSent = hasSent && isSame;
  seen = sight;
  if (sight.svg) isTall = TALL.matches;
  clocks.stop(); // If it goes on, that is said next.
  const ways = sight.svg ? new Map() : motion.rekey(board, sight.told);
  board.letGo();
  if (sight.svg) board.show(sight.svg);
  else board.merge(sight.layers);
  if (!isQuiet) picker.reset(sight.offers, isSame ? picker.path : []);
  if (!isSame) forget();
  log.take(sight.log, sight.log_from, sight.table.notes);
  showPeople(before);
  showStatus(sight.status);
  document.title = sight.acting && !sight.outcome ? `${sight.title} · ${pageTitle}` : pageTitle;
  clear(board, "hints", "targets", "refuse");
  drawLast(board, sight.last);
  const told = sight.told.map(({ text }) => text);
  if (sight.curtain) veil(sight.curtain, told);
  else if (raiseCurtain()) board.hits.get(board.cursor)?.focus({ focusVisible: false });
  announce(find("polite"), told.map((text) => text.replace(/\.$/, "")).join(". "));
  const still = motion.run(board, sight.told, ways);
  refresh();
  if (sight.told.some(({ loud }) => loud) && !sight.curtain && !sight.outcome) showMoment(told, board.isBusyAbove(picker.next()));
  await still;
  if (seen !== sight) return;
  refresh();
  playOnly(sight);
  if (sight.acting && sight.acting !== before?.acting && !sight.outcome) announce(find("urgent"), sight.title);
  if (sight.outcome && before && !before.outcome) {
    announce(find("urgent"), `${sight.outcome.title}. ${sight.outcome.why}`);
    openResult(sight.outcome, winner(sight), nextButtons());
  }
}

/** Somebody came or went; the match is where it was. */
function takePeople({ seats, table: around }) {
  const before = seen;
  seen = { ...seen, seats, table: around };
  log.note(around.notes);
  showPeople(before);
}

function showPeople(before) {
  const isResting = seen.table.adjourned || seen.table.waiting;
  showSeats(find("seats"), seen.seats, seen.status, isResting || Boolean(seen.outcome));
  showAround(seen);
  showGathering(seen, sendAround);
  document.body.classList.toggle("rests", isResting && !seen.outcome);
  if (before) pass(seen.table.notes.slice(before.table.notes.length));
  showTime();
  const isNew = before && !before.table.next && seen.table.next;
  if (isNew && seen.seats.some(({ mine }) => mine)) location.assign(seen.table.next);
}

/** What people did is said in passing, unless the page says it anyhow; it stays in the log. */
function pass(notes) {
  if (notes.length && !seen.table.adjourned) showPassing(notes.map(({ text }) => text).join(". "));
}

/** All that counts down. */
function showTime() {
  if (!seen) return;
  clocks.show(find("seats"));
  showMatter(matterOf(seen, clocks.answer, sendAround));
  if (!board.svg) return;
  const held = seen.acting ? [...picker.next()].filter(isHeld) : [];
  clocks.drawCourtesy(board, held);
}

/** The die is left alone for a while: somebody may want to be quicker. */
function isHeld(element) {
  const left = picker.left([...picker.path, element]);
  return clocks.courtesy > 0 && left.length > 0 && left.every(({ texts }) => !texts.length);
}

function isAlike(one, two) {
  return JSON.stringify(one) === JSON.stringify(two);
}

/** The only choice makes itself, if that is wished for, unless it is one to be asked about. */
function playOnly(sight) {
  const [text] = sight.only;
  if (!text || !onlyIsOn() || sight.offers.some(({ texts, ask }) => ask && texts[0] === text)) return;
  setTimeout(() => { if (seen === sight && !line.pending && !picker.path.length) send([text]); }, ONLY);
}

/** Nothing that only one may see stays on the page. */
function veil(curtain, told) {
  closeSheet();
  hideMoment();
  board.setCursor([...board.hits.keys()][0]); // Where somebody last was may be their secret.
  for (const region of ["polite", "urgent"]) announce(find(region), "");
  dropCurtain(curtain, told, (seat) => line.ask({ do: "unveil", seat }));
}

function refuse(message) {
  board.letGo();
  if (message.key !== asked.key) {
    picker.drop();
    asked = { key: message.key, element: "" };
  }
  refused = { ...message, element: message.at || asked.element };
  drawRefusal(board, message);
  announce(find("urgent"), message.why);
  if (DOCK.matches) return;
  const hit = board.hits.get(refused.element) ?? find("prompt");
  const isBad = message.at || message.because || message.picture;
  openBubble(explained(message, dismiss), hit, {
    kind: `${isBad ? "bad" : ""} ${message.picture ? "with-picture" : ""}`, role: "note",
  });
}

function waits(seconds, isCrowded) {
  const kept = line.pending ? `. ${say("connection-kept")}` : "";
  const lost = isCrowded ? say("crowded") : say("connection-lost", { seconds });
  showDown(seconds === null ? "" : lost + kept);
}

function gone() {
  showPrompt({ say: say("table-gone"), offers: [{ label: say("home"), kind: "pri", does: () => location.assign("/") }] });
}

// From the player

function touch(element, how) {
  if (!seen) return;
  if (motion.isRunning) {
    motion.finish();
    if (!seen.acting) return;
  }
  if (line.pending) return;
  forget();
  hideMoment();
  const isLast = element === picker.path.at(-1) && !picker.next().has(element);
  if (!seen.acting) ask(element);
  else if (isHeld(element)) refresh();
  else if (isLast && picker.isComplete) play(picker.chosen);
  else if (isLast) back();
  else if (picker.touch(element)) settle(how);
  else ask(element);
}

/** After a step along the path: done, to be confirmed, or one of several. */
function settle(how) {
  if (picker.isComplete && how !== "touch" && !picker.chosen.ask) {
    play(picker.chosen);
    return;
  }
  refresh();
  if (picker.choice) openChooser();
  else announce(find("polite"), sentence());
}

/** May this be dragged? Shows where to. */
function lift(element) {
  const drops = seen?.acting && !line.pending ? picker.drops(element) : new Map();
  if (drops.size) {
    forget();
    drawDrops(board, drops.keys());
  }
  return drops.size > 0;
}

/** True if something was sent. */
function drop(from, to, how) {
  const offers = distinct(picker.drops(from).get(to) ?? []);
  if (!seen.acting || line.pending || !offers.length) return false;
  picker.follow(offers[0].path);
  if (offers.length > 1) picker.choice = { offers, goesOn: false };
  settle(how);
  return line.pending !== null;
}

function why(element) {
  if (!seen) return;
  forget();
  ask(element);
}

/** Why may this not come next? A path that is whole already is asked about with another end. */
function ask(element) {
  const path = seen.acting ? picker.path.slice(0, picker.isComplete ? -1 : undefined) : [];
  if (path.at(-1) !== element) path.push(element);
  asked = { key: entropy(), element };
  const seat = seen.acting ?? seen.seats.find(({ mine }) => mine)?.seat ?? null;
  line.ask({ do: "why", key: asked.key, seat, path });
  refresh();
}

function play({ texts, seat }) {
  send(texts, seat);
}

function send(texts, seat = seen.acting ?? seen.seats.find(({ mine }) => mine)?.seat ?? null) {
  dispatch({ seq: seen.seq, seat, texts });
}

/** What people do around the match is meant wherever it is. Who sits down adds to the dice. */
function sendAround([text]) {
  if (line.pending) return;
  dispatch({ texts: [text.startsWith("sit ") ? `${text} ${entropy()}` : text] });
}

function dispatch(message) {
  forget();
  const key = line.act(message);
  hasSent = true;
  isSlow = false;
  setTimeout(() => {
    isSlow = line.pending?.key === key;
    refresh();
  }, LONG);
  refresh();
}

function back() {
  forget();
  if (!picker.path.length) return false;
  picker.back();
  refresh();
  return true;
}

/** Escape: the uppermost thing goes. */
function leave() {
  if (refused || picker.choice) {
    if (picker.choice) picker.back();
    dismiss();
  } else if (picker.path.length) {
    picker.drop();
    refresh();
  } else {
    return closeRules();
  }
  return true;
}

function dismiss() {
  forget();
  refresh();
}

/** Takes the refusal away. */
function forget() {
  refused = null;
  closeBubble();
  if (board.svg) clear(board, "refuse");
}

function openChooser() {
  const { offers, goesOn } = picker.choice;
  const does = (offer) => () => {
    closeBubble();
    picker.choose(offer);
    if (offer && !offer.ask) play(offer);
    else refresh();
    if (offer?.ask) confirmHere();
  };
  const rows = offers.map((offer) =>
    make("button", { class: "btn", onclick: does(offer) }, icon(drawn(offer.kind) ?? "act"), offer.label));
  if (goesOn) rows.push(make("button", { class: "btn", onclick: does(null) }, icon("act"), say("go-on")));
  const content = make("div", { class: "choices" }, make("span", { class: "sect" }, say("which")), ...rows);
  const at = board.hits.get(picker.path.at(-1)) ?? buttonOf(picker.path.at(-1)) ?? find("prompt");
  openBubble(content, at, { label: say("which") }).querySelector("button").focus({ focusVisible: false });
}

/** Whoever chose from a list finds the button to be sure under the same key. */
function confirmHere() {
  announce(find("polite"), sentence());
  primaryButton()?.focus({ focusVisible: false });
}

/** The name of an icon, if there is one of this name. */
function drawn(name) {
  return find(`i-${name}`) ? name : null;
}

// What is shown while nothing moves

function refresh() {
  if (!board.svg) return;
  const isFree = Boolean(seen.acting) && !line.pending && !motion.isRunning;
  const next = isFree ? picker.next() : new Set();
  const held = new Set(isFree ? [...board.hits.keys()].filter((element) => board.piece(element) && picker.drops(element).size) : []);
  board.light(next, held, describe);
  if (isFree || line.pending) drawPath(board, picker, picker.isComplete ? picker.chosen : null);
  else clear(board, "hints", "targets");
  prompt();
}

function prompt() {
  const free = seen.table.waiting && seen.seats.find((seat) => seat.free);
  const picture = (free || (seen.seats.find(({ seat }) => seat === seen.acting) ?? seen.seats.find((seat) => seat.to_act)))?.glyph ?? "";
  if (refused && DOCK.matches) {
    const offers = [{ label: seen.acting ? say("choose-again") : say("close"), does: dismiss }];
    showPrompt({ say: refused.why, picture: refused.picture ?? kibitzer, more: refused.picture_title, link: ruleLink(refused), offers, kind: "refused" });
  } else if (isSlow && line.pending) {
    showPrompt({ say: say("sending"), picture });
  } else if (picker.path.length) {
    showPrompt({ say: sentence(), more: advice(), picture, offers: pathButtons(), kind: picker.isComplete ? "sure" : "" });
  } else if (seen.outcome) {
    showPrompt({ say: seen.outcome.title, more: seen.outcome.why, picture: winner(seen), offers: [...undoButton(), homeButton(), ...nextButtons()], kind: "ended" });
  } else {
    showPrompt({ say: seen.title, more: seen.hint, picture, offers: [...undoButton(), ...gameButtons(), ...restingButtons()] });
  }
}

function sentence() {
  if (picker.choice) return say("which");
  const offer = picker.chosen && picker.isComplete ? picker.chosen : picker.left()[0];
  return offer.says[picker.path.length - 1] ?? offer.label;
}

function advice() {
  if (picker.isComplete) return isButton(picker.path.at(-1)) ? "" : say("touch-hint");
  const kinds = new Set(picker.left().flatMap(({ marks }) => marks).filter(({ after }) => after === picker.path.length).map(({ kind }) => kind));
  if (kinds.has("push") && kinds.has("pull")) return say("legend");
  return picker.chosen ? say("one-way") : "";
}

function pathButtons() {
  const offers = [{ label: say("back"), icon: "undo", does: back }];
  const { chosen } = picker;
  if (!chosen) offers.push(...gameButtons());
  else if (!line.pending && !hasSent) offers.push({ label: chosen.label, kind: "pri", does: () => confirm(chosen) });
  return offers;
}

/** The button is the word to be sure, once the path has been seen to its end. */
function confirm(offer) {
  if (!offer.ask || picker.isComplete) return play(offer);
  picker.follow(offer.path);
  refresh();
}

/** The game's own buttons: what may come next, or else what might have come first. */
function gameButtons() {
  if (!seen.acting || line.pending) return [];
  const onTheWay = [...picker.next()].some(isButton);
  const path = onTheWay ? picker.path : [];
  const shown = [...picker.next(path)].filter(isButton).slice(0, MOST_BUTTONS).map((element) => {
    const left = distinct(picker.left([...path, element]));
    const plays = left.length === 1 && left[0].path.length === path.length + 1;
    const urgent = left.some((offer) => offer.urgent);
    const kind = urgent ? "spark" : picker.path.includes(element) ? "soft" : plays ? "pri" : "";
    return { label: seen.buttons[element], icon: drawn(element.slice(BUTTON.length)), kind, element, does: () => touch(element, "button") };
  });
  // One primary button, the first that plays at once, and that comes last.
  const primary = shown.find(({ kind }) => kind === "pri");
  for (const each of shown) if (each !== primary && each.kind === "pri") each.kind = "";
  return shown.sort((a, b) => (a === primary) - (b === primary));
}

function isButton(element) {
  return element.startsWith(BUTTON);
}

function undoButton() {
  return seen.undo && !line.pending ? [{ label: seen.undo.label, icon: "undo", does: () => send([seen.undo.text]) }] : [];
}

/** What brings a match back that rests, or somebody to a seat. */
function restingButtons() {
  if (line.pending) return [];
  const { menu, waiting } = seen.table;
  const sits = !waiting && menu.find(({ text }) => text.startsWith("sit "));
  const found = sits || menu.find(({ text }) => text === "ask continue");
  return found ? [{ label: found.label, kind: "pri", does: () => sendAround([found.text]) }] : [];
}

/** After the end: once more, or on to the match that has come of it. */
function nextButtons() {
  const { asked, menu, next } = seen.table;
  if (next) return [{ label: say("next-match"), kind: "pri", icon: "act", does: () => location.assign(next) }];
  const isWanted = asked?.text === "rematch" && asked.yours;
  if (line.pending || !(isWanted || menu.some(({ text }) => text === "ask rematch"))) return [];
  const isAlone = seen.seats.every(({ mine, bot }) => mine || bot);
  return [{ label: say(isAlone ? "play-again" : "rematch"), kind: "pri", icon: "again", does: rematch }];
}

/** Somebody may have been quicker to ask. */
function rematch() {
  sendAround([seen.table.asked?.text === "rematch" ? "agree" : "ask rematch"]);
}

function homeButton() {
  return { label: say("home"), does: () => location.assign("/") };
}

/** What touching this would do, for somebody who does not see the board. */
function describe(element) {
  const left = distinct(picker.left([...picker.path, element]));
  return left.length === 1 ? left[0].label : say("may-choose");
}

function winner({ outcome, seats }) {
  return seats.find(({ seat }) => outcome.winners.includes(seat))?.glyph ?? "";
}

const saying = new Map();

/** The latest is said, and with no text nothing more of the earlier ones. */
function announce(region, text) {
  cancelAnimationFrame(saying.get(region));
  region.textContent = "";
  if (text) saying.set(region, requestAnimationFrame(() => { region.textContent = text; }));
}

// Wiring

listenToPointer(board, { touch, why, lift, drop, put: refresh });
listenToKeys(board, {
  touch: (element) => touch(element, "key"),
  why,
  back,
  drop: leave,
  help: openKeys,
  what,
  last: showLast,
  moves,
});

/** The numbered list, again and again until something is chosen. */
function what() {
  const next = seen.acting && !line.pending ? [...picker.next()] : [];
  openWhat(next.map((element) => ({ element, label: rowOf(element) })), (element) => {
    touch(element, "key");
    if (line.pending || picker.choice || !picker.path.length) return;
    if (picker.isComplete) confirmHere();
    else what();
  });
}

function showLast() {
  announce(find("polite"), log.entries.at(-1)?.text ?? say("no-moves"));
  board.layer("last").animate([{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], { duration: 400, iterations: 2 });
}

function rowOf(element) {
  const left = distinct(picker.left([...picker.path, element]));
  const name = seen.buttons[element] ?? board.name(element);
  if (left.length > 1) return name;
  return left[0].path.at(-1) === element ? left[0].label : `${name}: ${left[0].label}`;
}

function moves() {
  if (getComputedStyle(find("side")).display === "none") openMoves(find("log"));
  else find("log").focus();
}

find("open-menu").addEventListener("click", () => seen && openMenu(seen, { send, sendAround, moves }));
find("open-rules").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!closeRules()) openRules(table.dataset.rules);
});
find("turn").addEventListener("click", moves);
DOCK.addEventListener("change", () => seen && dismiss());
TALL.addEventListener("change", () => line.ask({ do: "look", tall: TALL.matches }));
setTimeout(() => { if (!seen) find("empty")?.querySelector("p")?.removeAttribute("hidden"); }, LOADING);
line.open();
