// The page of the referee of a match on screens: the rulings of the book, without a book.
import { explanation } from "../board/refusal.js";
import { announce } from "../lib/announce.js";
import { make, nodes } from "../lib/dom.js";
import { isolate, say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { showConnectionLost, showToast } from "../lib/overlay/toast.js";
import { ROOT } from "../lib/paths.js";
import { randomId } from "../lib/random_id.js";
import { updateChildren } from "../lib/update_children.js";
import { TableConnection } from "../table/connection.js";
import { liveAddress } from "../table/live_address.js";
import { endButton, rulingsPage } from "./rulings.js";

const find = (id) => document.getElementById(id);
const TABLE = find("table");

class Referee {
  id = TABLE.dataset.id;
  game = TABLE.dataset.game;
  options = JSON.parse(find("options").textContent);
  order = JSON.parse(find("order").textContent);
  /** There is a board, and no book is kept of another one. */
  info = null;
  isLedger = false;
  view = null;
  /** Rulings that are to be answered, each { message, resolve }. */
  acts = [];

  line = new TableConnection(
    () => liveAddress(this.id, "is_tall=0"),
    { onMessage: (message) => this.receive(message), onWait: (seconds, isCrowded) => this.onWait(seconds, isCrowded), onGone: () => this.onGone() },
  );

  get figures() { return this.view.figures; }
  seat(team) { return this.view.seats.find(({ seat }) => seat === team); }
  glyph(team) { return make("span", { class: "glyph" }, nodes(this.seat(team).glyph)); }

  /** People before colours; the sign stands beside it. */
  name(team) {
    const { name, player } = this.seat(team);
    return player ? isolate(player) : name;
  }

  receive(message) {
    if (message.type === "view") this.take(message);
    else if (message.type === "people" && this.view) Object.assign(this.view, { seats: message.seats, table: message.table });
    else this.takeAnswer(message);
    if (this.view) this.show();
    this.go();
  }

  take(view) {
    const before = this.view;
    this.view = view;
    if (before && view.events.length) announce("polite", view.events.map(({ text }) => text.replace(/\.$/, "")).join(". "));
  }

  takeAnswer(message) {
    const act = this.acts.find(({ message: sent }) => sent.key === message.key);
    if (!act) return;
    this.acts = this.acts.filter((each) => each !== act);
    if (message.type === "stale") showToast(say("stale"));
    if (message.type === "refused") this.showRefusal(message);
    act.resolve(message);
  }

  showRefusal(message) {
    announce("urgent", message.message);
    openSheet(say("book-refused"), explanation(message, closeSheet));
  }

  onWait(seconds, isCrowded) {
    showConnectionLost(seconds === null ? "" : isCrowded ? say("crowded") : say("connection-lost", { seconds }));
  }

  onGone() {
    openSheet(say("table-gone"), make("a", { class: "btn pri wide", href: `${ROOT}/` }, say("home")));
  }

  /** Promises the answer. A position by hand is meant at the row it was read at. */
  send(actions, { isTimely = true, seq = this.view.seq } = {}) {
    return new Promise((resolve) => {
      this.acts.push({ resolve, message: { key: randomId(), actions, seat: "referee", ...(isTimely ? { seq } : {}) } });
      this.go();
    });
  }

  go() {
    if (!this.line.pending && this.acts.length) this.line.act(this.acts[0].message);
  }

  pass(text) {
    showToast(text);
    announce("polite", text);
  }

  show() {
    const mayRule = Boolean(this.view.table.rulings_url);
    updateChildren(find("page"), mayRule ? [...rulingsPage(this), endButton(this)] : [make("p", { class: "mut" }, say("rulings-none"))]);
  }
}

new Referee().line.open();
