// The book of a match on a real board, on a phone: tabs for the turn, the book, rulings and screens.
// One view of the table is shown in all of them; what is entered goes out by one line, in order.
import { button } from "../board/prompt.js";
import { ruleLink } from "../board/refusal.js";
import { openRules } from "../board/rules_drawer.js";
import { announce } from "../lib/announce.js";
import { icon, make, nodes } from "../lib/dom.js";
import { keepBook, keptBook } from "../lib/forget.js";
import { isolate, say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { showConnectionLost, showToast } from "../lib/overlay/toast.js";
import { API, ROOT } from "../lib/paths.js";
import { keepPages } from "../lib/pwa/offline.js";
import { storeItem } from "../lib/storage.js";
import { updateChildren } from "../lib/update_children.js";
import { TableConnection } from "../table/connection.js";
import { earlierLines, missingLines } from "../table/earlier_lines.js";
import { liveAddress } from "../table/live_address.js";
import { Requests } from "./book/requests.js";
import { ignoredLines } from "./break_cost.js";
import { breakStrip, coverShown } from "./break_cover.js";
import { devicesPage, remindOfWater } from "./devices.js";
import { askWinner, endShown } from "./ending.js";
import { editEntry, entryAction, entryText } from "./entries.js";
import { isGettingReady, readyCard } from "./getting_ready.js";
import { openHembo } from "./hembo.js";
import { Outbox } from "./outbox.js";
import { coming, penaltiesPage } from "./penalties.js";
import { rulingsPage } from "./rulings.js";
import { teamPage } from "./team_phone.js";
import { ledgerTurn } from "./turn/ledger_turn.js";
import { followSteps, stepTo } from "./turn/steps_back.js";
import { boardDrawing, drawBoard, recallBoard, takeView, turnPage } from "./turn/turn.js";

const find = (id) => document.getElementById(id);
const TABLE = find("table");
const TABS = { turn: say("book-tab-turn"), book: say("book-tab-book"), referee: say("book-tab-referee"), screen: say("book-tab-screen") };
const FAIRNESS_POLL_MS = 30000;
/** The book that this browser keeps, for the page on which another one would be opened. */
const OPEN_BOOK = "kibitz-open-book";

class Book {
  /** A page that was kept is that of any book: its address says which one. */
  id = TABLE.dataset.id || location.pathname.split("/").at(-1);
  game = TABLE.dataset.game;
  options = JSON.parse(find("options").textContent);
  order = JSON.parse(find("order").textContent);
  /** The signs of the colours, also before anybody wears them. */
  signs = JSON.parse(find("signs").textContent);
  view = null;
  log = [];
  /** When each line of the log was entered, in milliseconds; what is missing came before us. */
  times = [];
  fairness = null;
  tab = "";
  isHeard = false;

  line = new TableConnection(
    () => liveAddress(this.id, "is_tall=1"),
    { onMessage: (message) => this.receive(message), onWait: (seconds, isCrowded) => this.onWait(seconds, isCrowded), onGone: () => this.onGone() },
  );

  queue = new Outbox(`kibitz-book-${this.id}`, this.line, {
    isUp: () => this.isUp, write: (entry) => ({ actions: [entryAction(entry)] }), onChange: () => this.show(),
  });

  requests = new Requests(this.line, { seq: () => this.view.seq, isUp: () => this.isUp, onDown: (text) => this.pass(text) });

  // What there is to know

  get figures() { return this.view.figures; }
  get info() { return this.view.table.book; }
  get seats() { return this.info.seats; }
  get isLedger() { return this.info.depth === "ledger"; }
  get isUp() { return this.isHeard && this.line.downSince === null && this.line.socket?.readyState === WebSocket.OPEN; }
  get waiting() { return this.queue.entries; }
  get mayEnter() { return this.info.may_enter_all || (this.info.entry === "all" && this.seats.length > 0); }
  get mayUndo() { return this.info.may_enter_all; }
  get maySay() { return this.seats.length > 0 && (this.info.may_enter_all || this.info.entry !== "book"); }
  get mayNote() { return this.maySay && !this.view.outcome; }
  /** Whether the teams have their colours: before that they are chairs. */
  get isSeated() { return !["S", "K"].includes(this.figures.phase); }
  get hasHembo() { return this.options.hembo !== "off" && !["S", "K", "E"].includes(this.figures.phase); }
  get mayPause() { return this.maySay && !this.figures.break && !["S", "K", "E"].includes(this.figures.phase); }

  /** Whether this screen may show who owes the sentence. */
  get isReminded() { return Object.keys(this.figures.marks).length > 0; }

  /** Without the board nobody knows who lives at home. */
  owes(team) { return !this.isLedger && this.figures.marks[team] === "!"; }
  seat(team) { return this.view.seats.find(({ seat }) => seat === team); }
  colour(team) { return this.seat(team).name; }
  name(team) { return this.info.teams[team]?.name || this.colour(team); }
  players(team) { return (this.info.teams[team]?.players ?? []).map(isolate).join(", "); }
  speaksFor(team) { return this.maySay && this.seats.includes(team); }
  text(entry) { return entryText(this, entry); }

  /** How a team of its size says the sentence. */
  form(team) { return this.options.team_size[this.order.indexOf(team)] > 1 ? "vi" : "jag"; }

  glyph(team) { return make("span", { class: "glyph" }, nodes(this.seat(team).glyph)); }

  /** A team by its sign and its name. */
  badge(team) { return make("span", { class: "badge-of" }, this.glyph(team), make("b", {}, this.name(team))); }

  peg(team, size) {
    return make("span", { class: `peg size-${size}` }, nodes(this.seat(team).glyph),
      size > 1 && make("span", { class: "times num" }, `×${size}`));
  }

  /** A colour that may be taken. */
  colourPeg(team) { return make("span", { class: "peg" }, nodes(this.signs[team])); }

  /** A line of the log where there is little room: the sign of a team for its name at the beginning. */
  shortLine({ code, text }) {
    const [team] = code.split(" ");
    const name = this.order.includes(team) ? `${this.name(team)} ` : "";
    return name && text.startsWith(name) ? [this.glyph(team), text.slice(name.length)] : [text];
  }

  /** The time of day of a line of the log. */
  clock(n) {
    const at = this.times[n - 1];
    return at ? timeOf(at) : "";
  }

  // From the line

  receive(message) {
    if (message.type === "view") this.take(message);
    else if (message.type === "people" && this.view) Object.assign(this.view, { seats: message.seats, table: message.table });
    else if (!this.requests.takeAnswer(message)) this.queue.receive(message);
    if (this.view) {
      this.keep();
      this.show();
    }
    this.go();
  }

  take(view) {
    const before = this.view;
    const lines = this.log.length;
    this.isHeard = true;
    this.view = view;
    this.queue.takeSeq(view.seq);
    this.options.team_size = this.order.map((team) => view.figures.sizes[team]);
    takeView(this, view);
    storeItem(OPEN_BOOK, view.outcome ? "" : this.id);
    this.takeLog(view);
    if (before && view.figures.break && this.tab !== "turn") for (const { n, text } of ignoredLines(this.log)) if (n > lines) showToast(text);
    if (before && view.events.length) announce("polite", view.events.map(({ text }) => text.replace(/\.$/, "")).join(". "));
    if (before && ["S", "K"].includes(before.figures.phase) && before.figures.phase !== view.figures.phase) this.reread();
    if (!this.tab) this.begin();
  }

  /** Show the first tab, from which the browser's way back leads. */
  begin() {
    this.tab = this.base = this.first;
    followSteps({ now: () => this.tab, turnTo: (tab) => this.showTab(tab) });
  }

  // Without a network

  /** What this page needs to go on after it was closed. */
  keep() {
    const { log, options, times, view } = this;
    keepBook(this.id, { log, options, times, view: { ...view, ...boardDrawing(), events: [], log: [] } });
  }

  /** The book as it was when there was a network. */
  recall() {
    const kept = keptBook(this.id);
    if (!kept) {
      find("page").replaceChildren(make("p", { class: "mut" }, say("book-not-kept")));
      return;
    }
    Object.assign(this, kept);
    recallBoard(this);
    this.begin();
    this.onWait(0, false);
  }

  /** What is told anew after a silence was entered whenever that was. */
  takeLog({ log, log_from: from, svg }) {
    const before = this.log;
    const known = before.slice(0, from);
    this.log = [...known, ...missingLines(known.length, from), ...log];
    if (known.length < from) this.fillLog(from);
    this.times.length = Math.min(this.times.length, this.log.length);
    for (const { n, code } of log) if (before[n - 1]?.code !== code) this.times[n - 1] = svg ? undefined : Date.now();
    if (svg) this.remember();
  }

  async fillLog(until) {
    for await (const lines of earlierLines(this.id, until)) {
      for (const each of lines) this.log[each.n - 1] = each;
      this.show();
    }
  }

  get first() {
    const wished = location.hash.slice(1);
    if (Object.hasOwn(TABS, wished)) return wished;
    return this.seats.length || this.info.may_enter_all ? "turn" : "book";
  }

  /** What was there before this page: when it was entered, and how the dome has done. */
  async remember() {
    const [record, info] = await Promise.all([this.got(`${API}/tables/${this.id}/record`), this.got(`${API}/tables/${this.id}`)]);
    if (info) record?.times?.forEach((at, i) => { this.times[i] ??= (info.created + at) * 1000; });
    this.show();
    this.askFairness();
  }

  async askFairness() {
    if (!this.isUp) return;
    this.fairness = await this.got(`${ROOT}/book/${this.id}/fairness`) ?? this.fairness;
    this.show();
  }

  /** Teams and their sizes go with their people to the colours they get. */
  async reread() {
    this.options = (await this.got(`${API}/tables/${this.id}`))?.options ?? this.options;
    this.show();
  }

  async got(address) {
    const answer = await fetch(address).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  onWait(seconds, isCrowded) {
    showConnectionLost(seconds === null ? "" : isCrowded ? say("crowded") : say("book-cut-off"));
    if (this.view) this.show();
  }

  onGone() {
    openSheet(say("table-gone"), make("a", { class: "btn pri wide", href: `${ROOT}/` }, say("home")));
  }

  // To the line

  /** What may be sent whenever there is a line. */
  enter(entry) {
    this.queue.add(entry);
    announce("polite", this.text(entry));
  }

  /** What has to be answered goes before what was entered. */
  go() {
    if (this.requests.go()) this.queue.go();
  }

  // What several tabs do

  call(team) {
    if (this.isLedger) return openHembo(this);
    this.enter({ kind: "call", team, form: this.form(team) });
  }

  /** `break` or `resume`. It has to reach everybody, so it is not kept for later. */
  rest(text) {
    this.requests.send([text], { isTimely: false, unsent: say("book-no-line-break") });
  }

  /** The latest entry that can still be taken out before anybody sees it, or null. */
  get unsent() { return this.queue.entries.findLast(({ key }) => key !== this.queue.flying) ?? null; }

  /** What has not left this phone comes first: it needs no ruling. */
  undo() {
    if (this.unsent) this.takeOut(this.unsent);
    else this.backTo(this.log.length - 1);
  }

  takeOut(entry) {
    openSheet(say("book-undo"), make("div", { class: "sure" },
      make("ul", { class: "gone" }, make("li", {}, this.text(entry))),
      make("p", { class: "sm mut" }, say("book-take-out-hint")),
      button({ label: say("book-take-out"), kind: "pri wide big", icon: "undo", does: () => { closeSheet(); this.queue.remove(entry.key); } })));
  }

  /** Everything after line `n` is taken out of the book by a ruling, with a reason; its rows stay. */
  backTo(n) {
    const gone = this.log.slice(n);
    if (!gone.length) return;
    const field = make("input", { class: "field", maxlength: 200, value: say("book-reason-wrong"), "aria-label": say("book-why"), required: true });
    const form = make("form", { class: "sure", onsubmit: (event) => {
      event.preventDefault();
      closeSheet();
      this.requests.send([`back ${n} because ${field.value.trim() || say("book-reason-wrong")}`], { seat: "referee" });
    } },
    make("ul", { class: "gone" }, ...gone.slice(-6).reverse().map(({ text }) => make("li", {}, text)),
      gone.length > 6 && make("li", { class: "mut" }, say("book-and-more", { n: gone.length - 6 }))),
    make("p", { class: "sm mut" }, say("book-undo-hint")),
    field,
    make("button", { class: "btn pri wide big" }, icon("undo"), say(gone.length > 1 ? "book-go-back" : "book-undo-this")));
    openSheet(say(gone.length > 1 ? "book-back-to" : "book-undo"), form);
  }

  askWinner() { askWinner(this); }

  pass(text) {
    showToast(text);
    announce("polite", text);
  }

  // What is shown

  show() {
    if (!this.view) return;
    if (!this.tabs.includes(this.tab)) this.tab = this.first;
    updateChildren(find("chips"), [this.phonesChip()]);
    updateChildren(find("waiting"), [...this.breakShown(), ...this.askedShown(), ...this.waitingShown()]);
    find("page").classList.toggle("with-board", this.hasBoard);
    updateChildren(find("page"), this.pageShown());
    if (this.hasBoard) drawBoard();
    updateChildren(find("dock"), this.dockShown());
    updateChildren(find("tabs"), this.tabs.map((tab) => this.tabButton(tab)));
    find("page").setAttribute("aria-labelledby", `tab-${this.tab}`);
    find("pause").hidden = !this.mayPause;
    this.cover();
  }

  /** Whether the board is on the page. */
  get hasBoard() {
    return this.tab === "turn" && this.mayEnter && !this.view.outcome && (!this.isLedger || !this.isSeated);
  }

  get tabs() {
    return Object.keys(TABS).filter((tab) => (tab !== "referee" || this.info.may_rule) && (tab !== "turn" || this.seats.length || this.info.may_enter_all));
  }

  tabButton(tab) {
    const label = tab === "turn" && !this.mayEnter ? say("book-tab-us") : TABS[tab];
    return make("button", { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "page", "aria-selected": String(tab === this.tab),
      onclick: () => this.turnTo(tab) },
    icon({ turn: "after", book: "book", referee: "whistle", screen: "screen" }[tab], "l"), label);
  }

  turnTo(tab) {
    if (tab !== this.tab) stepTo(tab, this.base);
    this.showTab(tab);
  }

  showTab(tab) {
    this.tab = tab;
    this.show();
    TABLE.scrollTop = 0;
    scrollTo(0, 0);
    if (tab === "book") this.askFairness();
  }

  pageShown() {
    const { outcome } = this.view;
    if (this.tab === "book") return penaltiesPage(this);
    if (this.tab === "referee") return rulingsPage(this);
    if (this.tab === "screen") return devicesPage(this);
    if (outcome) return endShown(this, outcome);
    if (!this.mayEnter) return teamPage(this);
    // Lots and colours are entered with the board, also where the rest of the evening is not.
    const turn = this.hasBoard ? turnPage(this) : null;
    if (!this.info.may_enter_all) return [...teamPage(this), ...(turn ?? [])];
    return [...(isGettingReady(this) ? [readyCard(this)] : []), ...(turn ?? ledgerTurn(this))];
  }

  /** Under the turn: the sentence, the latest to be undone, and what everybody owes. */
  dockShown() {
    if (this.tab !== "turn" || this.view.outcome || !this.mayEnter) return [];
    const { unsent } = this;
    const last = this.log.at(-1);
    const isDue = this.order.some((team) => this.owes(team));
    return [
      make("div", { class: "row" },
        this.hasHembo && make("button",
          { class: `btn hembo sp ${isDue ? "due" : ""}`, type: "button", "data-key": "hembo", onclick: () => openHembo(this) }, say("book-hembo")),
        (unsent || (this.mayUndo && last)) && make("button",
          { class: "btn undo-last", type: "button", "data-key": `undo-${unsent?.key ?? last.n}`, onclick: () => this.undo() },
          icon("undo"), make("span", {}, make("span", {}, say("book-undo")),
            make("span", { class: "xs mut" }, make("span", {}, ...(unsent ? [this.text(unsent)] : this.shortLine(last))))))),
      this.isSeated && make("ul", { class: "strip", "aria-label": say("book-owed") }, ...this.order.map((team) =>
        make("li", { class: `num team-${team}${this.owes(team) ? " due" : ""}` },
          this.glyph(team), make("span", { class: "unseen" }, `${isolate(this.name(team))}: `), String(this.figures.owed[team]),
          coming(this, team)))),
    ];
  }

  /** On the tabs that a break does not cover. */
  breakShown() {
    return this.figures.break && this.tab !== "turn" ? [breakStrip(this)] : [];
  }

  /** Somebody offers to be the referee, or to keep the book. */
  askedShown() {
    const { request } = this.view.table;
    if (!request) return [];
    return [make("section", { class: "card asked", role: "status" },
      make("b", {}, request.title),
      request.is_mine && button({ label: say("cancel"), does: () => this.requests.send(["cancel"], { isTimely: false }) }),
      request.is_yours && !request.is_mine ? make("div", { class: "two" },
        button({ label: say("decline"), does: () => this.requests.send(["decline"], { isTimely: false }) }),
        button({ label: say("agree"), kind: "pri", does: () => this.requests.send(["agree"], { isTimely: false }) }))
        : make("p", { class: "sm mut" }, say("answer-awaited")))];
  }

  /** Entries on their way; one that was refused beside what the book says now. */
  waitingShown() {
    const entries = this.waiting;
    if (!entries.length) return [];
    const [first] = entries;
    const { stuck } = this.queue;
    if (!stuck) {
      return this.isUp ? [] : [make("p", { class: "card waits-card", role: "status" }, icon("clock"),
        say(entries.length > 1 ? "book-waiting-many" : "book-waiting-one", { n: entries.length }))];
    }
    return [make("section", { class: "card conflict", role: "alert" },
      make("h2", {}, say("book-conflict")),
      make("dl", {},
        make("dt", {}, say("book-meant")), make("dd", {}, this.text(first), " ", make("time", { class: "mut num" }, timeOf(first.at))),
        make("dt", {}, say("book-says-now")), make("dd", {}, stuck.message, " ", ruleLink(stuck)),
        ...this.now(first).map((text) => make("dd", { class: "sm mut" }, text))),
      entries.length > 1 && make("p", { class: "sm mut" }, say("book-behind", { n: entries.length - 1 })),
      make("div", { class: "three" },
        button({ label: say("book-leave-out"), does: () => this.queue.leaveOut() }),
        button({ label: say("book-change"), does: () => editEntry(this, first, (entry) => this.queue.change(entry)) }),
        button({ label: say("book-try-again"), kind: "pri", does: () => this.queue.tryAgain() })))];
  }

  /** What the book says of those whom an entry is about. */
  now(entry) {
    const teams = [entry.team, entry.victim, entry.mover].filter(Boolean);
    const { owed, done } = this.figures;
    const stands = [...new Set(teams)].map((team) => say("book-stands", { team: this.name(team), owed: owed[team], done: done[team] }));
    const last = this.log.at(-1);
    return [...stands, ...(last ? [say("book-last-was", { text: last.text })] : [])];
  }

  phonesChip() {
    const count = this.info.phones ?? 0;
    return make("span", { class: `chip num ${this.isUp ? "ok" : "off"}` }, icon("wifi", "s"),
      say(!this.isUp ? "book-offline" : count === 1 ? "book-phone" : "book-phone-count", { n: count }));
  }

  /** A break is over everything, on every screen; behind it only rulings, notes and the book. */
  cover() {
    const cover = find("cover");
    const isShown = this.figures.break && this.tab === "turn";
    cover.hidden = !isShown;
    updateChildren(cover, isShown ? [coverShown(this)] : []);
  }
}

function timeOf(at) {
  return new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
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
setInterval(() => book.view && book.tab === "book" && book.askFairness(), FAIRNESS_POLL_MS);
remindOfWater(book);
if (TABLE.dataset.id) keepPages("book");
else book.recall();
book.line.open();
