// What people say to each other at a table: beside the moves at a desk, in the sheet on a phone. What
// is typed goes over the table's line and is shown when the server has it. Text is only ever text.
import { announce } from "../lib/announce.js";
import { icon, make, nodes } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet, sheetIsOpen } from "../lib/overlay/dialog.js";
import { showToast } from "../lib/overlay/toast.js";
import { randomId } from "../lib/random_id.js";
import { storeItem, loadItem } from "../lib/storage.js";
import { moderateMessage, moderatePeople } from "./chat_moderation.js";
import { accountMark, nameOf } from "./seats.js";

const find = (id) => document.getElementById(id);
const PHRASES = {
  hello: say("phrase-hello"), "good-luck": say("phrase-good-luck"), "well-played": say("phrase-well-played"), "good-game": say("phrase-good-game"),
  thanks: say("phrase-thanks"), moment: say("phrase-moment"),
};
const HINTS = { members: say("chat-hint-members"), spectators: say("chat-hint-spectators") };
const TABLE = find("table")?.dataset.id;
/** Whoever is asked answers sooner than that, or the line is dead. */
const ANSWER_TIMEOUT_MS = 8000;
const MAX_TABLES = 50;
const CHANGED = "kibitz-chat";
const NEAR_END_PX = 60;

/** Whether somebody wants to see it at all, in this browser. */
export function chatIsOn() {
  return loadItem("chat", "on") === "on";
}

export function switchChat(on) {
  storeItem("chat", on ? "on" : "off");
  dispatchEvent(new Event(CHANGED));
}

export class Chat {
  /** What it looked like last; null where there is nothing to say, or nobody to say it to. */
  view = null;
  lines = new Map();
  /** What was sent and not answered yet. */
  sent = null;
  early = [];
  seats = null;
  read = readUpTo();

  constructor(line) {
    this.line = line;
    find("chat-phrases").append(...Object.entries(PHRASES).map(([key, text]) =>
      make("button", { class: "btn sm", type: "button", onclick: () => this.send(`:${key}:`, text) }, text)));
    find("chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(find("chat-text").value);
    });
    find("chat-text").addEventListener("keydown", ({ key, target }) => key === "Escape" && target.blur());
    find("open-chat").addEventListener("click", () => this.open());
    find("chat-hide").addEventListener("click", () => {
      switchChat(false);
      showToast(say("chat-hidden"));
    });
    find("chat-people").addEventListener("click", () => moderatePeople(() => this.back()));
    addEventListener(CHANGED, () => this.show());
    document.addEventListener("visibilitychange", () => this.mark());
    addEventListener("resize", () => this.mark());
  }

  /** What the server need not tell again. */
  cursor() {
    return this.view ? `&chat_since=${this.view.n}&rooms=${this.view.rooms.join()}` : "";
  }

  /** Whether a message was ours. */
  receive(message) {
    if (message.type === "chat") {
      if (this.seats) this.take(message);
      else this.early.push(message);
      return true;
    }
    if (!message.key || message.key !== this.sent?.key) return false;
    this.settle(message.type === "done" ? "" : message.message);
    if (message.type === "done") find("chat-text").value = "";
    return true;
  }

  /** Who sits where; what came before that was known is shown now. */
  knows(seats, isOver) {
    this.seats = seats;
    this.isOver = isOver;
    for (const message of this.early.splice(0)) this.take(message);
  }

  /** Too fast: what was typed stays where it is. */
  handleTooFast({ key, seconds }) {
    if (key === this.sent?.key) this.settle(say("chat-wait", { seconds: Math.ceil(seconds) }));
  }

  take(view) {
    const isFirst = !this.view;
    this.view = view;
    if (view.is_whole) this.forget();
    const fresh = view.lines.filter(({ n }) => !this.lines.has(n));
    const isAtEnd = this.isAtEnd();
    for (const line of fresh) this.add(line);
    for (const n of view.removed) this.lines.get(n)?.replaceWith(this.renderLine({ ...this.lines.get(n).line, text: "", may_remove: false }));
    this.again(fresh);
    this.show();
    if (isAtEnd || fresh.some(({ is_mine: isMine }) => isMine)) this.scroll();
    if (!isFirst && !view.is_whole) this.tell(fresh.filter(({ is_mine: isMine, text }) => !isMine && text));
    this.mark();
  }

  forget() {
    this.lines.clear();
    find("chat-list").replaceChildren();
  }

  add(line) {
    find("chat-list").append(this.renderLine(line));
  }

  /** A line as it is shown, remembered under its number. */
  renderLine(line) {
    const { n, is_mine: isMine, name, room, role, seat, text, at, may_remove: mayRemove } = line;
    const sits = this.seats.find((each) => each.seat === seat);
    const called = name || (sits && nameOf(sits)) || say("somebody");
    const isAside = room === "spectators";
    const when = new Date(at * 1000);
    const about = (mayRemove || (line.who && !isMine)) && make("button", {
      class: "btn sm ghost only about", type: "button", "aria-label": `${say("chat-line")}: ${called}`, "aria-haspopup": "dialog",
      onclick: () => moderateMessage(line, called, () => this.back()),
    }, icon("more", "s"));
    const element = make("li", { class: `line${isMine ? " mine" : ""}${isAside ? " aside" : ""}`, "data-n": n },
      make("div", { class: "by" },
        sits ? make("span", { class: "glyph", "aria-hidden": "true" }, nodes(sits.glyph)) : isAside && icon("eye", "s"),
        make("b", { dir: "auto" }, isMine ? say("chat-you") : called),
        line.has_account && accountMark(),
        role === "referee" && icon("whistle", "s"),
        isAside && make("span", { class: "unseen" }, say("chat-room-spectators")),
        make("time", { class: "xs mut num", datetime: when.toISOString() }, shortly(when))),
      make("p", { class: text ? "text" : "text gone", dir: "auto" }, text || say("chat-removed")),
      about);
    element.line = line;
    this.lines.set(n, element);
    return element;
  }

  /** Shows or hides all of it, and says why nobody can write. */
  show() {
    const { view } = this;
    const isShown = Boolean(view) && chatIsOn();
    find("chat").hidden = !isShown;
    document.body.classList.toggle("has-chat", isShown);
    find("open-chat").hidden = !isShown;
    if (!view) return;
    find("chat-form").hidden = find("chat-phrases").hidden = Boolean(view.why_not);
    if (view.why_not || !this.sent) this.explain(view.why_not);
    find("chat-none").hidden = this.lines.size > 0;
    find("chat-hint").textContent = this.hint();
    find("chat-people").hidden = !view.is_host;
  }

  hint() {
    if (this.view.is_referee) return say("chat-hint-referee");
    return this.isOver ? say("chat-hint-over") : HINTS[this.view.room];
  }

  /** What others said is told where nobody sees it come. */
  tell(fresh) {
    if (!fresh.length || !chatIsOn() || this.isSeen()) return;
    const { name, seat, text } = fresh.at(-1);
    const called = name || this.seats.find((each) => each.seat === seat)?.name || say("somebody");
    announce("polite", `${say("chat")}. ${called}: ${text}`);
  }

  /** How much is unread, on the button. */
  mark() {
    if (!this.view) return;
    if (this.isSeen()) this.readAll();
    const unread = [...this.lines.values()].filter(({ line }) => line.n > this.read && !line.is_mine && line.text).length;
    const badge = find("open-chat").querySelector(".badge");
    badge.hidden = !unread;
    badge.textContent = unread > 99 ? "99+" : String(unread);
    find("open-chat").setAttribute("aria-label", unread ? say("chat-open", { n: unread }) : say("chat"));
  }

  readAll() {
    if (this.read >= this.view.n) return;
    this.read = this.view.n;
    const others = Object.entries(readings()).filter(([id]) => id !== TABLE).slice(1 - MAX_TABLES);
    storeItem("chat-read", JSON.stringify(Object.fromEntries([...others, [TABLE, this.read]])));
  }

  isSeen() {
    return !document.hidden && this.isThere();
  }

  /** Whether it takes up room, here or in the sheet. */
  isThere() {
    return find("talk").getClientRects().length > 0;
  }

  isAtEnd() {
    const list = find("chat-lines");
    return list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
  }

  scroll() {
    const list = find("chat-lines");
    list.scrollTop = list.scrollHeight;
  }

  // Saying something

  /** `shows` is how it will read: a phrase has another text. */
  send(text, shows = text) {
    if (this.sent || !text.trim()) return;
    this.sent = { type: "say", key: randomId(), room: this.view.room, text };
    this.shows = shows.trim().replace(/\s+/g, " ");
    this.dispatch();
  }

  dispatch() {
    this.over = this.line.socket;
    this.line.ask(this.sent);
    this.explain(this.line.downSince === null ? "" : say("chat-waits"));
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.line.drop(), ANSWER_TIMEOUT_MS);
  }

  /** The line was down: what was sent over the last one is there by now, or goes once more. */
  again(fresh) {
    if (!this.sent || this.over === this.line.socket) return;
    const isThere = fresh.some(({ is_mine: isMine, text }) => isMine && text === this.shows);
    if (!isThere) {
      this.dispatch();
      return;
    }
    this.settle("");
    find("chat-text").value = "";
  }

  settle(why) {
    clearTimeout(this.silence);
    this.sent = null;
    this.explain(why || this.view?.why_not || "");
  }

  explain(why) {
    find("chat-why").textContent = why;
  }

  // Where it is

  /** To the field, wherever that is. */
  go() {
    if (!this.view || !chatIsOn()) return;
    if (!this.isThere()) this.open();
    find("chat-text").focus();
  }

  /** Lent to the sheet while that is open. */
  open() {
    const talk = find("talk");
    const home = find("chat");
    openSheet(say("chat"), talk, { kind: "tall talking", onClose: () => { home.append(talk); this.mark(); } });
    this.scroll();
    this.mark();
  }

  /** After something was done about it: where one was. */
  back() {
    if (sheetIsOpen()) closeSheet();
    if (!this.isThere()) this.open();
  }
}

function shortly(when) {
  const isToday = when.toDateString() === new Date().toDateString();
  const day = isToday ? {} : { day: "numeric", month: "short" };
  return when.toLocaleString(document.documentElement.lang, { hour: "numeric", minute: "2-digit", ...day });
}

/** Up to where somebody has read, by table, in this browser. */
function readings() {
  try {
    return JSON.parse(loadItem("chat-read", "{}"));
  } catch {
    return {};
  }
}

function readUpTo() {
  return readings()[TABLE] ?? 0;
}
