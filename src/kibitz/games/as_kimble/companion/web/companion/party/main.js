// The party screen: a table to be read from across a room. It asks for nothing and sends nothing; a key, a
// double click or a touch of the code is all it takes.
import { Board } from "../../board/board.js";
import { momentsIn, showMoment } from "../../board/events/moments.js";
import { Motion } from "../../board/events/motion.js";
import { UpdateQueue } from "../../board/events/update_queue.js";
import { drawLast } from "../../board/marks.js";
import { make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { isShut, linkOrigin, openNetwork, whenKnown } from "../../lib/links/network.js";
import { ROOT } from "../../lib/paths.js";
import { play, playEvents } from "../../lib/sound/sound.js";
import { storeItem, loadItem } from "../../lib/storage.js";
import { keepAwake, toggleFull } from "../../lib/wake_lock.js";
import { Clocks } from "../../table/clocks.js";
import { TableConnection } from "../../table/connection.js";
import { liveAddress } from "../../table/live_address.js";
import { alertOf } from "./alerts.js";
import { showRest } from "./break.js";
import { showAlert, showEvents, showTeams, showTurn, teamName } from "./teams.js";

const IDLE_MS = 4000;
const MINUTE_MS = 60000;
/** Around the board, in its own units. */
const MARGIN_UNITS = 5;
const CHOSEN = "party-join";
const find = (id) => document.getElementById(id);
const { id } = find("screen").dataset;
const places = JSON.parse(find("places").textContent);
const options = JSON.parse(find("options").textContent);

const board = new Board(find("stage"));
const motion = new Motion();
const clocks = new Clocks(showWhatIsDue);
const updates = new UpdateQueue(motion, board, { onMessage, rolls, isShown: () => true });
const line = new TableConnection(
  () => liveAddress(id, `is_tall=0&is_for_room=1${view ? `&since=${view.seq}` : ""}`),
  { onMessage: (message) => updates.take(message), onWait, onGone },
);
let view = null;
let entries = [];
let idle = 0;
/** What the dome was already heard for. */
let rolled = null;

function rolls(events) {
  rolled = events;
  play("dome");
}

function onMessage(message) {
  if (message.type === "view") return take(message);
  if (!view) return null;
  if (message.type === "people") around({ ...view, seats: message.seats, table: message.table });
  else if (message.type === "clock") clocks.take(message);
  return null;
}

async function take(latest) {
  motion.finish();
  clocks.stop(); // If it goes on, that is said next.
  const ways = latest.svg ? new Map() : motion.rekey(board, latest.events);
  if (latest.svg) draw(latest.svg);
  else board.merge(latest.layers);
  drawLast(board, latest.last);
  entries = [...entries.slice(0, latest.log_from), ...latest.log];
  around(latest);
  if (!latest.svg) playEvents(latest.events.filter(({ sound }) => sound !== "dome" || rolled !== latest.events));
  await motion.run(board, latest.events, ways);
  if (!latest.svg) await celebrate(latest);
}

/** What the whole room should see. */
async function celebrate({ events, outcome, seats, table: { book } }) {
  for (const moment of momentsIn(events)) {
    const title = moment.seat ? `${teamName(seats, book, moment.seat)}\n${moment.title}` : moment.title;
    await showMoment(board, { ...moment, title }, find("screen"));
  }
  if (outcome && events.length) await showMoment(board, { effect: "win", title: outcome.title, place: "" }, find("screen"));
}

/** Only the board itself: what stands beside it has its own place here. */
function draw(markup) {
  board.show(markup);
  const { x, y, width, height } = board.layer("ground").getBBox();
  board.svg.setAttribute("viewBox", [x - MARGIN_UNITS, y - MARGIN_UNITS, width + 2 * MARGIN_UNITS, height + 2 * MARGIN_UNITS].join(" "));
}

/** All that is beside the board. A game may have no figures to show. */
function around(latest) {
  view = { ...latest, figures: latest.figures?.phase ? latest.figures : null };
  const { book, notes } = view.table;
  document.body.classList.toggle("ledger", book?.depth === "ledger");
  showTeams(view, book);
  showTurn(view, book);
  showEvents(entries, notes);
  showRest(view, entries, options);
  showWhatIsDue();
  showJoin();
}

function showWhatIsDue() {
  if (!view) return;
  const { seats, table: { book } } = view;
  const duty = alertOf(view, book, (seat) => teamName(seats, book, seat));
  showAlert(duty, seats, duty?.left ? clocks[duty.left] : null);
}

// The code to join by

function joinPlace() {
  const wanted = new URLSearchParams(location.search).get("join") ?? loadItem(CHOSEN, "");
  return places.includes(wanted) ? wanted : places[0];
}

function showJoin() {
  const join = find("join");
  join.hidden = !places.length || !linkOrigin();
  if (isShut()) {
    showShut(join);
    return;
  }
  const place = joinPlace();
  const caption = say(place === "watch" ? "party-watch" : "party-room");
  const look = `${place} ${caption}`;
  if (join.hidden || join.dataset.look === look) return;
  join.dataset.look = look;
  join.replaceChildren(
    make("img", { src: `${ROOT}/t/${id}/qr/${place}?${linkOrigin()}`, alt: say("qr") }), make("b", {}, caption),
    places.length > 1 ? make("span", { class: "unseen" }, say("party-other")) : "");
}

/** Phones that scanned a code would reach nobody yet. */
function showShut(join) {
  join.dataset.look = "";
  join.replaceChildren(make("b", {}, say("network-closed")), make("span", { class: "btn pri" }, say("network-open")));
}

async function onJoin() {
  if (!isShut()) return chooseNext();
  const problem = await openNetwork();
  if (problem) find("join").replaceChildren(make("b", { role: "alert" }, problem));
  else showJoin();
  return null;
}

/** What an address asks for holds until somebody chooses. */
function chooseNext() {
  if (!view || !places.length) return;
  storeItem(CHOSEN, places[(places.indexOf(joinPlace()) + 1) % places.length]);
  history.replaceState(null, "", location.pathname);
  showJoin();
}

// The room

function showClock() {
  const now = new Date();
  const timeText = (how) => new Intl.DateTimeFormat(document.documentElement.lang, how).format(now);
  find("clock").textContent = `${timeText({ weekday: "long" })} ${timeText({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}`;
  setTimeout(showClock, MINUTE_MS - (now.getTime() % MINUTE_MS));
}

function onWait(seconds, isCrowded) {
  const lost = isCrowded ? say("crowded") : say("connection-lost", { seconds });
  showDown(seconds === null ? "" : lost);
}

function onGone() {
  showDown(say("table-gone"));
}

function showDown(text) {
  find("down").hidden = !text;
  find("down").lastElementChild.textContent = text;
}

/** Somebody is at the machine: they see a pointer, and which keys there are. */
function showKeys() {
  find("keys").hidden = false;
  document.body.classList.remove("idle");
  clearTimeout(idle);
  idle = setTimeout(hideKeys, IDLE_MS);
}

function hideKeys() {
  find("keys").hidden = true;
  document.body.classList.add("idle");
}

const KEYS = { f: toggleFull, j: chooseNext };

addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
  if (!ctrlKey && !metaKey && !altKey) KEYS[key.toLowerCase()]?.();
});
addEventListener("pointermove", showKeys);
document.addEventListener("dblclick", (/** @type {any} */ { target }) => { if (!target.closest?.("#join")) toggleFull(); });
find("join").addEventListener("click", onJoin);
whenKnown(() => { if (view) showJoin(); });
showClock();
showKeys();
keepAwake();
line.open();
