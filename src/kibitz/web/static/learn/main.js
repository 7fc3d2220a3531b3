// A tutorial: one small thing to find at a time, on a live board.
import { hideRevealCard } from "../board/events/reveal.js";
import { MatchView } from "../board/match_view.js";
import { button, primaryButton } from "../board/prompt.js";
import { ruleLink } from "../board/refusal.js";
import { drawRings } from "../board/rings.js";
import { closeRules, openRules } from "../board/rules_drawer.js";
import { announce } from "../lib/announce.js";
import { DOCK } from "../lib/breakpoints.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { fillInLevel } from "../lib/level.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { showConnectionLost } from "../lib/overlay/toast.js";
import { randomId } from "../lib/random_id.js";
import { LessonConnection } from "./connection.js";
import { Progress } from "./progress.js";

/** How long something is looked at before the next thing happens, or before it is taken back. */
const NEXT_MOVE_MS = 650;
const WRONG_MOVE_MS = 1000;
/** So many wrong tries, and the places are ringed. */
const RINGED_AFTER_TRIES = 2;
const find = (id) => document.getElementById(id);
/** `match` is the one whose mistakes these are, if it is no tutorial. */
const { game, options, steps, match: of } = JSON.parse(find("course").textContent);
const { ended } = find("table").dataset;
const progress = new Progress(of ? "" : game, steps);
const line = new LessonConnection(game, options, { onAct, onMessage, onWait, isKept: !of });
const match = new MatchView(line, { onArrive, onRefresh, onSettle, prompt });
const CHECK = icon("check", "l").outerHTML;

/** What somebody is at: a step, how far they are with it, and from where they began. */
let trial = null;

function begin(n, from = steps[n].before) {
  trial = { n, step: steps[n], from, point: 0, tries: 0, phase: "trying", note: "", isRinged: false, isNew: true, latest: "", stands: () => {} };
  progress.arrive(n);
  find("prompt").style.minHeight = "";
  match.picker.drop();
  match.refusal.forget();
  hideRevealCard();
  show();
  line.begin(n, trial.step, from);
}

// What is tried

/** Pressing the die gives exactly what the step is about. */
function onAct(actions) {
  const { point, step } = trial;
  const wanted = actions.length ? actions : line.chance.filter((text) => text === step.solves[point]);
  trial.note = "";
  if (wanted.length && solves(step, point, wanted)) finds(trial, wanted);
  else misses(trial, wanted);
}

function solves({ solves: expressions, answers }, point, actions) {
  if (answers) return answers.some((answer) => answer.every((text, i) => i >= actions.length || text === actions[i]));
  const left = expressions.slice(point);
  return actions.length <= left.length && actions.every((text, i) => new RegExp(`^(?:${left[i]})$`).test(text));
}

async function finds(here, actions) {
  const { step } = here;
  const isLast = Boolean(step.answers) || here.point + actions.length === step.solves.length;
  if (isLast) here.phase = "happening";
  if (!(await plays(here, actions))) return;
  here.point += actions.length;
  if (!isLast) return;
  for (const text of step.then) {
    await pause(NEXT_MOVE_MS);
    if (here !== trial || !(await plays(here, [text]))) return;
  }
  here.phase = "solved";
  progress.solve();
  show();
  announce("polite", step.praise);
  (find("lesson-next") ?? primaryButton())?.focus();
}

/** What may be done but is not asked for is seen, and taken back. */
async function misses(here, actions) {
  const before = line.actions;
  here.phase = "happening";
  // Without a network nobody knows where it leads; it is no less wrong.
  if (actions.length && !(await plays(here, actions)) && !line.isAlone) return;
  here.phase = "happening";
  await pause(WRONG_MOVE_MS);
  if (here !== trial) return;
  here.tries += 1;
  here.isRinged ||= here.tries >= RINGED_AFTER_TRIES;
  here.note = here.isRinged ? say("learn-rings") : say(of ? "lesson-wrong" : "learn-wrong");
  here.phase = "trying";
  await line.show(before);
  announce("urgent", here.note);
}

/** Resolves when all stands still; never, if that is not wanted any more. False: it was refused. */
async function plays(here, actions) {
  const stands = new Promise((resolve) => { here.stands = resolve; });
  if (!(await line.play(actions))) {
    if (here === trial) here.phase = "trying";
    return false;
  }
  await stands;
  return here === trial;
}

function pause(milliseconds) {
  return new Promise((resolve) => { setTimeout(resolve, milliseconds); });
}

// What is heard

/** While something happens by itself nothing may be chosen, and the only choice is the learner's to find. */
function onMessage(message) {
  const isOpen = trial.phase === "trying";
  const mine = isOpen ? {} : { acting: null, offers: [] };
  match.receive(message.type === "view" ? { ...message, ...mine, only: [], undo: null } : message);
}

function onWait(seconds) {
  showConnectionLost(seconds === null ? "" : say("connection-lost", { seconds }));
}

function onArrive(view) {
  trial.latest = view.events.map(({ text }) => text).join(". ");
  view.latest = trial.latest;
  show();
}

function onSettle() {
  const { step, isNew, stands } = trial;
  if (isNew) announce("polite", `${step.title}. ${step.task}`);
  trial.isNew = false;
  holdDock();
  stands();
}

/** What is said may get shorter; the board stays as large as it is. */
function holdDock() {
  const dock = find("prompt");
  dock.style.minHeight = DOCK.matches ? `${dock.offsetHeight}px` : "";
}

// What is shown

function show() {
  showWay();
  showLesson();
  if (match.view) match.refresh();
}

/** What to touch next is ringed for whoever asked for it: a place, or a button. */
function onRefresh() {
  const places = trial.isRinged && trial.phase === "trying" ? nextTouches() : [];
  drawRings(match.board, places);
  for (const each of find("prompt").querySelectorAll("[data-button]")) each.classList.toggle("ringed", places.includes(each.dataset.button));
}

/** The elements that come next on the shortest ways to all that one choice can find; else the die. */
function nextTouches() {
  const { offers, path } = match.picker;
  const found = offers.filter(({ actions }) => actions.length && solves(trial.step, trial.point, actions));
  const most = Math.max(...found.map(({ actions }) => actions.length));
  const wanted = offers.filter((offer) => (found.length ? found.includes(offer) && offer.actions.length === most : !offer.actions.length));
  const begun = wanted.filter((offer) => path.every((element, i) => offer.path[i] === element));
  const [ways, at] = begun.length ? [begun, path.length] : [wanted, 0];
  const least = Math.min(...ways.map((offer) => offer.path.length));
  return [...new Set(ways.filter((offer) => offer.path.length === least).map((offer) => offer.path[at]).filter(Boolean))];
}

/** How far it is, and how to get there. */
function showWay() {
  const { n } = trial;
  find("at").textContent = say("learn-at", { n: n + 1, of: steps.length });
  find("before").disabled = n === 0;
  find("after").disabled = n === steps.length - 1;
  find("dots").replaceChildren(...steps.map(({ id }, i) =>
    make("li", { class: [progress.done.has(id) && "done", i === n && "now"].filter(Boolean).join(" ") })));
}

/** Beside the board, where there is room. */
function showLesson() {
  const { note, phase, step } = trial;
  const isSolved = phase === "solved";
  find("lesson").className = `lesson card ${isSolved ? "solved" : ""}`;
  find("lesson-title").replaceChildren(...(isSolved ? [icon("check")] : []), step.title);
  find("lesson-text").textContent = isSolved ? step.praise : step.task;
  find("lesson-note").textContent = isSolved ? "" : note;
  find("lesson-rule").replaceChildren(ruleLink(step));
  find("lesson-buttons").replaceChildren(...(DOCK.matches ? [] : buttons()).map((each) => withId(button(each), each)));
}

function withId(made, { id = "" }) {
  if (id) made.id = id;
  return made;
}

/** In the bar under the board: on a phone all of it, elsewhere what just happened. */
function prompt() {
  const { latest, note, phase, step } = trial;
  if (phase === "happening") return { say: latest || step.title };
  if (phase === "solved" && !DOCK.matches) return { say: latest || step.title, picture: CHECK, kind: "solved" };
  if (phase === "solved") return { say: step.title, more: step.praise, picture: CHECK, offers: buttons(), kind: "solved" };
  if (!DOCK.matches) return null;
  // What is to be found stays in sight while it is being tried.
  if (match.picker.path.length) {
    const kind = `asks ${match.picker.isComplete ? "sure" : ""}`;
    return { say: match.bar.sentence(), more: step.task, link: ruleLink(step), offers: match.bar.buttons.alongPath(), kind };
  }
  // None of the game's own buttons looks as if it were the thing to press.
  const games = match.bar.buttons.ofGame().map((each) => ({ ...each, kind: each.kind === "pri" ? "" : each.kind }));
  const own = buttons().map((each) => (games.length > 1 ? { ...each, kind: "slim" } : each));
  return { say: note || step.title, more: step.task, link: ruleLink(step), offers: [...own, ...games], kind: "asks" };
}

/** @returns {import("../board/prompt.js").Button[]} */
function buttons() {
  const { phase, point, isRinged, n } = trial;
  const again = { label: say("learn-again"), icon: "again", goesOn: true, does: () => begin(trial.n, trial.from) };
  if (phase === "solved") return [again, { id: "lesson-next", label: say(n < steps.length - 1 ? "learn-next" : "learn-finish"), kind: "pri", does: next }];
  const hint = { label: say("learn-hint"), icon: "eye", goesOn: true, does: () => { trial.isRinged = true; show(); } };
  return [point > 0 && again, !isRinged && hint].filter(Boolean);
}

// Where to

/** Whoever has solved a step goes on from what they found. */
function next() {
  const { n } = trial;
  if (n === steps.length - 1) {
    openEnd();
    return;
  }
  begin(n + 1, steps[n + 1].goes_on ? line.actions : undefined);
  match.board.hits.get(match.board.cursor)?.focus({ preventScroll: true });
}

function openEnd() {
  const end = find("end").content.cloneNode(true);
  for (const field of end.querySelectorAll("[name=entropy]")) field.value = randomId();
  fillInLevel(end);
  end.querySelector("[data-over]").onclick = startOver;
  openSheet(ended, end, { kind: "ending" });
}

function startOver() {
  closeSheet();
  progress.forget();
  begin(0);
}

function openSteps() {
  const rows = steps.map((step, i) => make("li", {}, make("button", {
    class: "btn", "aria-current": i === trial.n && "step", onclick: () => { closeSheet(); begin(i); },
  }, make("span", { class: "kbd" }, String(i + 1)), make("span", { class: "sp" }, step.title), progress.done.has(step.id) && doneMark())));
  openSheet(say("learn-all"), [
    make("ol", { class: "numbered" }, ...rows),
    make("div", { class: "menu" }, button({ label: say("learn-over"), icon: "again", does: startOver }),
      button({ label: say("rules"), icon: "rules", does: () => { closeSheet(); openRules(find("table").dataset.rules); } }),
      themes()),
  ], { kind: "corner" });
  find("sheet-body").querySelector("[aria-current]").focus({ focusVisible: false });
}

function doneMark() {
  const made = icon("check", "s");
  made.removeAttribute("aria-hidden");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", say("learn-done"));
  return made;
}

function themes() {
  const made = find("themes").content.cloneNode(true);
  const worn = ["dark", "light"].find((name) => document.documentElement.classList.contains(name)) ?? "system";
  for (const radio of made.querySelectorAll("input[name=theme]")) radio.checked = radio.value === worn;
  return made;
}

find("before").addEventListener("click", () => begin(trial.n - 1));
find("after").addEventListener("click", () => begin(trial.n + 1));
find("at").addEventListener("click", openSteps);
find("open-rules").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!closeRules()) openRules(find("table").dataset.rules, trial.step.rule);
});
DOCK.addEventListener("change", () => { find("prompt").style.minHeight = ""; show(); });
begin(progress.at);
