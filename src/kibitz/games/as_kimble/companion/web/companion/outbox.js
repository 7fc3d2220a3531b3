// What was entered and is not in the book yet. The browser keeps it until the server has it, so that
// a cellar without a network, a reload or an empty battery loses nothing. It goes out in order; the
// first one that is refused stops the rest until somebody says what is to become of it.
import { randomId } from "../lib/random_id.js";
import { storeItem, loadItem } from "../lib/storage.js";

export class Outbox {
  /** Why the first one was refused: { message, rule, rule_url }, or null. */
  stuck = null;
  flying = null;
  /** In the book, and not in the latest view yet: each with the `seq` of the view that has it. */
  landed = [];

  /**
   * `line` has `act` and `pending`. `isUp()` tells whether it is worth trying, `write(entry)` gives
   * `{ actions }`; `onChange()` is told whenever there is something else to show.
   */
  constructor(name, line, { isUp, write, onChange }) {
    this.name = name;
    this.line = line;
    this.isUp = isUp;
    this.write = write;
    this.onChange = onChange;
    addEventListener("storage", ({ key }) => key === name && onChange());
  }

  /** Read each time: another window may keep the same book. */
  get entries() {
    return JSON.parse(loadItem(this.name, "[]"));
  }

  set entries(all) {
    storeItem(this.name, JSON.stringify(all));
  }

  add(entry) {
    this.entries = [...this.entries, { ...entry, key: randomId(), at: Date.now() }];
    this.onChange();
    this.go();
  }

  /** One that has not been sent is taken out again; what is on its way cannot be called back. */
  remove(key) {
    if (key === this.flying) return;
    this.turnTo((entries) => entries.filter((entry) => entry.key !== key));
  }

  /** The first one is left out. */
  leaveOut() {
    this.turnTo((entries) => entries.slice(1));
  }

  tryAgain() {
    this.turnTo((entries) => entries);
  }

  /** Another in the place of the first; under a key of its own, as it says something else. */
  change(entry) {
    this.turnTo(([first, ...rest]) => [{ ...entry, key: randomId(), at: first.at }, ...rest]);
  }

  turnTo(become) {
    this.entries = become(this.entries);
    this.stuck = null;
    this.onChange();
    this.go();
  }

  /** Sends the first one, if nothing is in its way. */
  go() {
    const [first] = this.entries;
    if (!first || this.stuck || this.flying || this.line.pending || !this.isUp()) return;
    this.flying = first.key;
    this.line.act({ ...this.write(first), key: first.key });
  }

  /** What the line heard; true if it was for us. */
  receive(message) {
    if (message.key !== this.flying || !["done", "refused", "stale"].includes(message.type)) return false;
    this.flying = null;
    if (message.type === "refused") return this.stop(message);
    if (message.type === "done") this.land(message);
    this.onChange();
    return true;
  }

  land({ key: sent, seq }) {
    this.landed.push(...this.entries.filter(({ key }) => key === sent).map((entry) => ({ ...entry, seq })));
    this.entries = this.entries.filter(({ key }) => key !== sent);
  }

  /** A view has come that shows all entries up to here. */
  takeSeq(shown) {
    this.landed = this.landed.filter(({ seq }) => seq > shown);
  }

  stop({ message, rule = "", rule_url: address = "" }) {
    this.stuck = { message, rule, rule_url: address };
    this.onChange();
    return true;
  }
}
