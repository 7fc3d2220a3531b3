// One line to the table. It comes back by itself, and what was sent and not yet answered is sent
// again under its key, so that nothing is done twice.
import { randomId } from "../lib/random_id.js";
import { takeEarlySocket } from "./early_socket.js";
import { ViewPatches } from "./view_patches.js";

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;
const SHOW_LOST_AFTER_MS = 2000;
/** Whoever is asked to do something answers sooner than that, or is not there any more. */
const ANSWER_TIMEOUT_MS = 8000;
const NO_TABLE_CODE = 4404;
const SENT_AWAY_CODE = 4403;
const FULL_CODE = 4429;
const CROWDED_RETRY_MS = 10000;

export class TableConnection {
  /**
   * `address()` is asked before every attempt. `onMessage(message)` gets what the server says,
   * `onWait(seconds, isCrowded)` how long the line has been down (null: it is up), `onGone(isSentAway)` that
   * there is no table, or not for this one. `onTooFast(message)` gets what was too fast.
   */
  constructor(address, { onMessage, onWait, onGone, onTooFast = (_message) => {} }) {
    this.address = address;
    this.onMessage = onMessage;
    this.onWait = onWait;
    this.onGone = onGone;
    this.onTooFast = onTooFast;
    this.pending = null;
    this.isGone = false;
    this.wait = FIRST_RETRY_MS;
    this.downSince = null;
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    addEventListener("pageshow", ({ persisted }) => persisted && this.hurry());
  }

  open() {
    const address = `${this.address()}&is_patched=1`;
    const early = takeEarlySocket(address);
    const socket = early?.socket ?? new WebSocket(address);
    const patches = new ViewPatches();
    this.socket = socket;
    socket.onopen = () => {
      if (this.pending) socket.send(JSON.stringify(this.pending));
      this.listen();
    };
    socket.onmessage = ({ data }) => {
      this.up();
      const message = patches.take(JSON.parse(data));
      if (message) this.take(message);
      else this.ask({ type: "look" }); // It changes something that we do not have: then everything anew.
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      this.isGone = code === NO_TABLE_CODE || code === SENT_AWAY_CODE;
      if (this.isGone) this.onGone(code === SENT_AWAY_CODE);
      else this.onLost(code === FULL_CODE);
    };
    for (const message of early?.messages ?? []) socket.onmessage(message);
  }

  /** Sends an action and keeps it until it is answered. */
  act(message) {
    this.pending = { type: "act", key: randomId(), ...message };
    this.send(this.pending);
    this.listen();
    return this.pending.key;
  }

  /** Sends a question; one that cannot be sent now is not worth keeping. */
  ask(message) {
    this.send(message);
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  take(message) {
    if (message.type === "wait") {
      this.again(message);
      this.onTooFast(message);
      return;
    }
    if (["done", "refused", "stale"].includes(message.type) && message.key === this.pending?.key) {
      this.pending = null;
    }
    this.listen();
    this.onMessage(message);
  }

  /** Too fast: the same once more, when we are told to. A question is not worth that. */
  again({ key, seconds }) {
    clearTimeout(this.silence);
    setTimeout(() => {
      if (this.pending?.key !== key) return;
      this.send(this.pending);
      this.listen();
    }, seconds * 1000);
  }

  /** A line may be dead without anybody having told us: a phone went down to the cellar. */
  listen() {
    clearTimeout(this.silence);
    if (this.pending && this.socket?.readyState === WebSocket.OPEN) this.silence = setTimeout(() => this.drop(), ANSWER_TIMEOUT_MS);
  }

  /** Another socket takes over what is pending; this one may take minutes to notice. */
  drop() {
    const { socket } = this;
    if (!socket || this.downSince !== null) return;
    this.socket = null;
    socket.close();
    this.onLost(false);
  }

  up() {
    this.wait = FIRST_RETRY_MS;
    this.downSince = null;
    clearInterval(this.counting);
    this.onWait(null);
  }

  onLost(isCrowded) {
    this.downSince ??= Date.now();
    if (isCrowded) this.wait = CROWDED_RETRY_MS;
    clearInterval(this.counting);
    this.counting = setInterval(() => {
      const down = Date.now() - this.downSince;
      if (down >= SHOW_LOST_AFTER_MS) this.onWait(Math.round(down / 1000), isCrowded);
    }, 500);
    clearTimeout(this.trying);
    this.trying = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, Math.max(this.wait, LAST_RETRY_MS));
  }

  hurry() {
    if (this.downSince === null || this.socket?.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.trying);
    this.wait = FIRST_RETRY_MS;
    this.open();
  }
}
