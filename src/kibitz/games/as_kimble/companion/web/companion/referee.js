// The page of the referee of a match on screens: the rulings of the book, without a book.
import { announce } from "../lib/announce.js";
import { make, nodes } from "../lib/dom.js";
import { isolate, say } from "../lib/i18n.js";
import { openSheet } from "../lib/overlay/dialog.js";
import { showConnectionLost, showToast } from "../lib/overlay/toast.js";
import { ROOT } from "../lib/paths.js";
import { updateChildren } from "../lib/update_children.js";
import { TableConnection } from "../table/connection.js";
import { liveAddress } from "../table/live_address.js";
import { Requests } from "./book/requests.js";
import { endButton, rulingsPage } from "./rulings.js";

const find = (id) => document.getElementById(id);
const TABLE = find("table");

/** The teams of a match on screens: people before colours; the sign stands beside them. */
class TeamsOnScreens {
  constructor(page) {
    this.page = page;
  }

  seat(team) { return this.page.view.seats.find(({ seat }) => seat === team); }
  glyph(team) { return make("span", { class: "glyph" }, nodes(this.seat(team).glyph)); }

  name(team) {
    const { name, player } = this.seat(team);
    return player ? isolate(player) : name;
  }
}

class Referee {
  id = TABLE.dataset.id;
  game = TABLE.dataset.game;
  options = JSON.parse(find("options").textContent);
  order = JSON.parse(find("order").textContent);
  /** There is a board, and no book is kept of another one. */
  info = null;
  isLedger = false;
  view = null;

  line = new TableConnection(
    () => liveAddress(this.id, "is_tall=0"),
    { onMessage: (message) => this.receive(message), onWait: (seconds, isCrowded) => this.onWait(seconds, isCrowded), onGone: () => this.onGone() },
  );

  /** A position by hand is meant at the row it was read at. */
  requests = new Requests(this.line, { seat: "referee", seq: () => this.view.seq });
  teams = new TeamsOnScreens(this);

  get figures() { return this.view.figures; }

  receive(message) {
    if (message.type === "view") this.take(message);
    else if (message.type === "people" && this.view) Object.assign(this.view, { seats: message.seats, table: message.table });
    else this.requests.takeAnswer(message);
    if (this.view) this.show();
    this.requests.go();
  }

  take(view) {
    const before = this.view;
    this.view = view;
    if (before && view.events.length) announce("polite", view.events.map(({ text }) => text.replace(/\.$/, "")).join(". "));
  }

  onWait(seconds, isCrowded) {
    showConnectionLost(seconds === null ? "" : isCrowded ? say("crowded") : say("connection-lost", { seconds }));
  }

  onGone() {
    openSheet(say("table-gone"), make("a", { class: "btn pri wide", href: `${ROOT}/` }, say("home")));
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
