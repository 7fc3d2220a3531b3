// The book of a match on a real board, on a phone: tabs for the turn, the book, rulings and screens.
// One view of the table is shown in all of them; what is entered goes out by one line, in order.
import { openRules } from "../board/rules_drawer.js";
import { announce } from "../lib/announce.js";
import { make } from "../lib/dom.js";
import { fetchJson } from "../lib/fetch_json.js";
import { keepBook, keptBook } from "../lib/forget.js";
import { say } from "../lib/i18n.js";
import { openSheet } from "../lib/overlay/dialog.js";
import { showConnectionLost, showToast } from "../lib/overlay/toast.js";
import { API, ROOT } from "../lib/paths.js";
import { keepPages } from "../lib/pwa/offline.js";
import { storeItem } from "../lib/storage.js";
import { updateChildren } from "../lib/update_children.js";
import { TableConnection } from "../table/connection.js";
import { liveAddress } from "../table/live_address.js";
import { dockShown } from "./book/dock.js";
import { BookLog } from "./book/log.js";
import { noticesShown, phonesChip } from "./book/notices.js";
import { Permissions } from "./book/permissions.js";
import { Requests } from "./book/requests.js";
import { Tabs } from "./book/tabs.js";
import { Teams } from "./book/teams.js";
import { ignoredLines } from "./break_cost.js";
import { coverShown } from "./break_cover.js";
import { remindOfWater } from "./devices.js";
import { entryAction, entryText } from "./entries.js";
import { openHembo } from "./hembo.js";
import { Outbox } from "./outbox.js";
import { boardDrawing, drawBoard, recallBoard, takeView } from "./turn/turn.js";

const find = (id) => document.getElementById(id);
const TABLE = find("table");
const FAIRNESS_POLL_MS = 30000;
/** The book that this browser keeps, for the page on which another one would be opened. */
const OPEN_BOOK = "kibitz-open-book";

/** Its parts are given the book, and reach each other by its fields. */
class Book {
  /** A page that was kept is that of any book: its address says which one. */
  id = TABLE.dataset.id || location.pathname.split("/").at(-1);
  game = TABLE.dataset.game;
  options = JSON.parse(find("options").textContent);
  order = JSON.parse(find("order").textContent);
  view = null;
  fairness = null;
  isHeard = false;

  line = new TableConnection(
    () => liveAddress(this.id, "is_tall=1"),
    { onMessage: (message) => this.receive(message), onWait: (seconds, isCrowded) => this.onWait(seconds, isCrowded), onGone },
  );

  queue = new Outbox(`kibitz-book-${this.id}`, this.line, {
    isUp: () => this.isUp, write: (entry) => ({ actions: [entryAction(entry)] }), onChange: () => this.show(),
  });

  requests = new Requests(this.line, { seq: () => this.view.seq, isUp: () => this.isUp, onDown: (text) => this.pass(text) });
  teams = new Teams(this, JSON.parse(find("signs").textContent));
  permissions = new Permissions(this);
  log = new BookLog(this.id, () => this.show());
  tabs = new Tabs(this, (tab) => this.onTab(tab));

  // What there is to know

  get figures() { return this.view.figures; }
  get info() { return this.view.table.book; }
  get seats() { return this.info.seats; }
  get isLedger() { return this.info.depth === "ledger"; }
  get isUp() { return this.isHeard && this.line.downSince === null && this.line.socket?.readyState === WebSocket.OPEN; }
  /** Whether the teams have their colours: before that they are chairs. */
  get isSeated() { return !["S", "K"].includes(this.figures.phase); }
  get hasHembo() { return this.options.hembo !== "off" && !["S", "K", "E"].includes(this.figures.phase); }
  /** Whether this screen may show who owes the sentence. */
  get isReminded() { return Object.keys(this.figures.marks).length > 0; }

  /** Without the board nobody knows who lives at home. */
  owes(team) { return !this.isLedger && this.figures.marks[team] === "!"; }

  // From the line

  receive(message) {
    if (message.type === "view") this.#take(message);
    else if (message.type === "people" && this.view) Object.assign(this.view, { seats: message.seats, table: message.table });
    else if (!this.requests.takeAnswer(message)) this.queue.receive(message);
    if (this.view) {
      this.#keep();
      this.show();
    }
    this.go();
  }

  #take(view) {
    const before = this.view;
    const lines = this.log.lines.length;
    this.isHeard = true;
    this.view = view;
    this.queue.takeSeq(view.seq);
    this.options.team_size = this.order.map((team) => view.figures.sizes[team]);
    takeView(this, view);
    storeItem(OPEN_BOOK, view.outcome ? "" : this.id);
    this.log.take(view);
    if (view.svg) this.#fetchEarlier();
    if (before && view.figures.break && this.tabs.current !== "turn") for (const { n, text } of ignoredLines(this.log.lines)) if (n > lines) showToast(text);
    if (before && view.events.length) announce("polite", view.events.map(({ text }) => text.replace(/\.$/, "")).join(". "));
    if (before && ["S", "K"].includes(before.figures.phase) && before.figures.phase !== view.figures.phase) this.#reread();
    if (!this.tabs.current) this.tabs.begin();
  }

  // Without a network

  /** What this page needs to go on after it was closed. */
  #keep() {
    const { log: { lines: log, times }, options, view } = this;
    keepBook(this.id, { log, options, times, view: { ...view, ...boardDrawing(), events: [], log: [] } });
  }

  /** The book as it was when there was a network. */
  recall() {
    const kept = keptBook(this.id);
    if (!kept) {
      find("page").replaceChildren(make("p", { class: "mut" }, say("book-not-kept")));
      return;
    }
    const { log: lines, options, times, view } = kept;
    Object.assign(this, { options, view });
    Object.assign(this.log, { lines, times });
    recallBoard(this);
    this.tabs.begin();
    this.onWait(0, false);
  }

  /** What was there before this page: when it was entered, and how the dome has done. */
  async #fetchEarlier() {
    await this.log.fetchTimes();
    this.show();
    this.askFairness();
  }

  async askFairness() {
    if (!this.isUp) return;
    this.fairness = await fetchJson(`${ROOT}/book/${this.id}/fairness`) ?? this.fairness;
    this.show();
  }

  /** Teams and their sizes go with their people to the colours they get. */
  async #reread() {
    this.options = (await fetchJson(`${API}/tables/${this.id}`))?.options ?? this.options;
    this.show();
  }

  onWait(seconds, isCrowded) {
    showConnectionLost(seconds === null ? "" : isCrowded ? say("crowded") : say("book-cut-off"));
    if (this.view) this.show();
  }

  // To the line

  /** What may be sent whenever there is a line. */
  enter(entry) {
    this.queue.add(entry);
    announce("polite", entryText(this, entry));
  }

  /** What has to be answered goes before what was entered. */
  go() {
    if (this.requests.go()) this.queue.go();
  }

  // What several tabs do

  call(team) {
    if (this.isLedger) return openHembo(this);
    return this.enter({ kind: "call", team, form: this.teams.form(team) });
  }

  /** `break` or `resume`. It has to reach everybody, so it is not kept for later. */
  rest(text) {
    this.requests.send([text], { isTimely: false, unsent: say("book-no-line-break") });
  }

  pass(text) {
    showToast(text);
    announce("polite", text);
  }

  // What is shown

  show() {
    const { tabs } = this;
    if (!this.view) return;
    tabs.settle();
    updateChildren(find("chips"), [phonesChip(this)]);
    updateChildren(find("waiting"), noticesShown(this));
    find("page").classList.toggle("with-board", tabs.hasBoard);
    updateChildren(find("page"), tabs.page());
    if (tabs.hasBoard) drawBoard();
    updateChildren(find("dock"), dockShown(this));
    updateChildren(find("tabs"), tabs.buttons());
    find("page").setAttribute("aria-labelledby", `tab-${tabs.current}`);
    find("pause").hidden = !this.permissions.mayPause;
    this.#cover();
  }

  onTab(tab) {
    this.show();
    TABLE.scrollTop = 0;
    scrollTo(0, 0);
    if (tab === "book") this.askFairness();
  }

  /** A break is over everything, on every screen; behind it only rulings, notes and the book. */
  #cover() {
    const cover = find("cover");
    const isShown = this.figures.break && this.tabs.current === "turn";
    cover.hidden = !isShown;
    updateChildren(cover, isShown ? [coverShown(this)] : []);
  }
}

function onGone() {
  openSheet(say("table-gone"), make("a", { class: "btn pri wide", href: `${ROOT}/` }, say("home")));
}

function openMenu() {
  const menu = find("menu").content.cloneNode(true);
  menu.querySelector("[data-rules]").onclick = (event) => {
    event.preventDefault();
    openRules(TABLE.dataset.rules);
  };
  const chosen = ["dark", "light"].find((name) => document.documentElement.classList.contains(name)) ?? "system";
  for (const radio of menu.querySelectorAll("[name=theme]")) radio.checked = radio.value === chosen;
  openSheet(say("menu"), menu.firstElementChild, { kind: "corner" });
}

const book = new Book();
find("pause").addEventListener("click", () => book.view && book.rest("break"));
find("open-menu").addEventListener("click", openMenu);
addEventListener("offline", () => book.show());
addEventListener("online", () => book.go());
setInterval(() => book.view && book.tabs.current === "book" && book.askFairness(), FAIRNESS_POLL_MS);
remindOfWater(book);
if (TABLE.dataset.id) keepPages("book");
else book.recall();
book.line.open();
