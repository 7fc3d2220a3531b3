// Time: what is left to each seat, to an answer, and until the die may be pressed. The server says
// it once; here it is only counted down from when that came.
import { draw } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

const TICK_MS = 100;
const LOW_S = 10;
const [MINUTE_S, HOUR_S, DAY_S] = [60, 60 * 60, 24 * 60 * 60];
const SHOW_HOURS_FROM_S = 100 * MINUTE_S;

export class Clocks {
  clock = null;
  at = 0;
  ticking = 0;

  /** `changed()` is called at every tick. */
  constructor(changed) {
    this.changed = changed;
  }

  take(clock) {
    this.clock = clock;
    this.at = performance.now();
    clearInterval(this.ticking);
    this.ticking = 0;
    const isHurried = clock && (clock.running.length || clock.die_delay_seconds || clock.answer_seconds !== null || clock.consent_seconds !== null);
    if (isHurried) this.ticking = setInterval(() => this.changed(), TICK_MS);
    this.changed();
  }

  /** Nothing has to be hurried any more. */
  stop() {
    if (this.clock) this.take(null);
  }

  get secondsSince() {
    return (performance.now() - this.at) / 1000;
  }

  /** What is left to a seat, or null. */
  secondsLeft(seat) {
    const left = this.clock?.seconds_left[seat];
    if (left === undefined) return null;
    return Math.max(0, this.clock.running.includes(seat) ? left - this.secondsSince : left);
  }

  /** Seconds for which the die is left alone. */
  get dieDelay() {
    return Math.max(0, (this.clock?.die_delay_seconds ?? 0) - this.secondsSince);
  }

  /** Seconds until the rules answer for whoever has not; null where nobody has to. */
  get answer() {
    return this.clock?.answer_seconds == null ? null : Math.max(0, this.clock.answer_seconds - this.secondsSince);
  }

  /** Seconds after which whoever says nothing agrees; null where nobody is asked like that. */
  get consent() {
    return this.clock?.consent_seconds == null ? null : Math.max(0, this.clock.consent_seconds - this.secondsSince);
  }

  /** What is left to a seat, as it is written; nothing where it has no clock. */
  textOf(seat) {
    const left = this.secondsLeft(seat);
    return left === null ? "" : clockText(left);
  }

  /** Whether another second of the last few has begun for one of these seats. */
  ticks(seats) {
    const running = seats.filter((seat) => this.clock?.running.includes(seat));
    const second = Math.ceil(Math.min(...running.map((seat) => this.secondsLeft(seat) ?? Infinity)));
    const isNew = second < LOW_S && second > 0 && second !== this.second;
    this.second = second;
    return isNew;
  }

  /** Writes what is left into the clocks of the seats. */
  show(list) {
    for (const clock of list.querySelectorAll("[data-clock]")) {
      const left = this.secondsLeft(clock.dataset.clock);
      clock.hidden = left === null;
      if (left === null) continue;
      const text = clockText(left);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", left < LOW_S);
      clock.classList.toggle("runs", this.clock.running.includes(clock.dataset.clock));
    }
  }

  /** A ring that closes around what is left alone for now. */
  drawDieDelay(board, elements) {
    const ours = board.layer("ours");
    ours.querySelector(".die-delay")?.remove();
    const { dieDelay } = this;
    if (!dieDelay) return;
    const group = draw("g", { class: "die-delay", "aria-hidden": "true" });
    for (const { x, y, size } of elements.map((element) => board.place(element)).filter(Boolean)) {
      const r = size / 2 + 2;
      const whole = 2 * Math.PI * r;
      const arc = { cx: x, cy: y, r, fill: "none", "stroke-width": 6 };
      group.append(
        draw("circle", { ...arc, stroke: "var(--mark-halo)", opacity: 0.7 }),
        draw("circle", { ...arc, stroke: "var(--spark)", "stroke-dasharray": `${(whole * dieDelay) / this.clock.die_delay_seconds} ${whole}`,
          transform: `rotate(-90 ${x} ${y})` }),
        draw("circle", { cx: x, cy: y, r: 17, fill: "var(--spark)" }),
        draw("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 20, "font-weight": 800, fill: "#251B35" },
          String(Math.ceil(dieDelay))));
    }
    ours.append(group);
  }
}

function inDays(days, hours) {
  return hours ? say("days-hours-left", { days, hours }) : say("days-left", { days });
}

/** 9.4, 4:07, 90:00, 1:40:09, 2 d 4 h. */
function clockText(seconds) {
  if (seconds < LOW_S) return (Math.ceil(seconds * 10) / 10).toFixed(1);
  const whole = Math.ceil(seconds);
  if (whole >= DAY_S) return inDays(Math.floor(whole / DAY_S), Math.floor((whole % DAY_S) / HOUR_S));
  const two = (number) => String(number).padStart(2, "0");
  const rest = two(whole % MINUTE_S);
  if (whole < SHOW_HOURS_FROM_S) return `${Math.floor(whole / MINUTE_S)}:${rest}`;
  return `${Math.floor(whole / HOUR_S)}:${two(Math.floor((whole % HOUR_S) / MINUTE_S))}:${rest}`;
}
