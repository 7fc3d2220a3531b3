// The tabs of a book, and what is on the page under each of them.
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { devicesPage } from "../devices.js";
import { endShown } from "../ending.js";
import { isGettingReady, readyCard } from "../getting_ready.js";
import { penaltiesPage } from "../penalties.js";
import { rulingsPage } from "../rulings.js";
import { teamPage } from "../team_phone.js";
import { ledgerTurn } from "../turn/ledger_turn.js";
import { followSteps, stepTo } from "../turn/steps_back.js";
import { turnPage } from "../turn/turn.js";

const LABELS = { turn: say("book-tab-turn"), book: say("book-tab-book"), referee: say("book-tab-referee"), screen: say("book-tab-screen") };
const ICONS = { turn: "after", book: "book", referee: "whistle", screen: "screen" };

export class Tabs {
  current = "";
  /** The first one, from which the browser's way back leads. */
  base = "";

  /** `onTurn(tab)` is told when another one is shown. */
  constructor(book, onTurn) {
    this.book = book;
    this.onTurn = onTurn;
  }

  begin() {
    this.current = this.base = this.first;
    followSteps({ now: () => this.current, turnTo: (tab) => this.#show(tab) });
  }

  get first() {
    const wished = location.hash.slice(1);
    if (Object.hasOwn(LABELS, wished)) return wished;
    return this.#isOurs ? "turn" : "book";
  }

  /** Whether something can be entered here at all. */
  get #isOurs() {
    return this.book.seats.length || this.book.info.may_enter_all;
  }

  get names() {
    return Object.keys(LABELS).filter((tab) => (tab !== "referee" || this.book.info.may_rule) && (tab !== "turn" || this.#isOurs));
  }

  /** One that is not there any more is left for the first one. */
  settle() {
    if (!this.names.includes(this.current)) this.current = this.first;
  }

  buttons() {
    return this.names.map((tab) => {
      const label = tab === "turn" && !this.book.permissions.mayEnter ? say("book-tab-us") : LABELS[tab];
      return make("button", { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "page", "aria-selected": String(tab === this.current),
        onclick: () => this.turnTo(tab) }, icon(ICONS[tab], "l"), label);
    });
  }

  turnTo(tab) {
    if (tab !== this.current) stepTo(tab, this.base);
    this.#show(tab);
  }

  #show(tab) {
    this.current = tab;
    this.onTurn(tab);
  }

  /** Whether the board is on the page. */
  get hasBoard() {
    const { book } = this;
    return this.current === "turn" && book.permissions.mayEnter && !book.view.outcome && (!book.isLedger || !book.isSeated);
  }

  page() {
    const { book, current } = this;
    const { outcome } = book.view;
    if (current === "book") return penaltiesPage(book);
    if (current === "referee") return rulingsPage(book);
    if (current === "screen") return devicesPage(book);
    if (outcome) return endShown(book, outcome);
    if (!book.permissions.mayEnter) return teamPage(book);
    // Lots and colours are entered with the board, also where the rest of the evening is not.
    const turn = this.hasBoard ? turnPage(book) : null;
    if (!book.info.may_enter_all) return [...teamPage(book), ...(turn ?? [])];
    return [...(isGettingReady(book) ? [readyCard(book)] : []), ...(turn ?? ledgerTurn(book))];
  }
}
