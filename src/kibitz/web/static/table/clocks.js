// Time: what is left to each seat, to an answer, and until the die may be pressed. The server says
// it once; here it is only counted down from when that came.
import { draw } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

const TICK = 100;
const LOW = 10;
const [MINUTE, HOUR, DAY] = [60, 60 * 60, 24 * 60 * 60];
const LONG = 100 * MINUTE;

export class Clocks {
  told = null;
  at = 0;
  ticking = 0;

  /** `changed()` is called at every tick. */
  constructor(changed) {
    this.changed = changed;
  }

  take(told) {
    this.told = told;
    this.at = performance.now();
    clearInterval(this.ticking);
    this.ticking = 0;
    if (told && (told.running.length || told.courtesy || told.answer !== null)) this.ticking = setInterval(() => this.changed(), TICK);
    this.changed();
  }

  /** Nothing has to be hurried any more. */
  stop() {
    if (this.told) this.take(null);
  }

  get passed() {
    return (performance.now() - this.at) / 1000;
  }

  /** What is left to a seat, or null. */
  left(seat) {
    const left = this.told?.left[seat];
    if (left === undefined) return null;
    return Math.max(0, this.told.running.includes(seat) ? left - this.passed : left);
  }

  /** Seconds for which the die is left alone. */
  get courtesy() {
    return Math.max(0, (this.told?.courtesy ?? 0) - this.passed);
  }

  /** Seconds until the rules answer for whoever has not; null where nobody has to. */
  get answer() {
    return this.told?.answer == null ? null : Math.max(0, this.told.answer - this.passed);
  }

  /** What is left to a seat, as it is written; nothing where it has no clock. */
  written(seat) {
    const left = this.left(seat);
    return left === null ? "" : written(left);
  }

  /** Whether another second of the last few has begun for one of these seats. */
  ticks(seats) {
    const running = seats.filter((seat) => this.told?.running.includes(seat));
    const second = Math.ceil(Math.min(...running.map((seat) => this.left(seat) ?? Infinity)));
    const isNew = second < LOW && second > 0 && second !== this.second;
    this.second = second;
    return isNew;
  }

  /** Writes what is left into the clocks of the seats. */
  show(list) {
    for (const clock of list.querySelectorAll("[data-clock]")) {
      const left = this.left(clock.dataset.clock);
      clock.hidden = left === null;
      if (left === null) continue;
      const text = written(left);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", left < LOW);
      clock.classList.toggle("runs", this.told.running.includes(clock.dataset.clock));
    }
  }

  /** A ring that closes around what is left alone for now. */
  drawCourtesy(board, elements) {
    const ours = board.layer("ours");
    ours.querySelector(".courtesy")?.remove();
    const { courtesy } = this;
    if (!courtesy) return;
    const group = draw("g", { class: "courtesy", "aria-hidden": "true" });
    for (const { x, y, size } of elements.map((element) => board.place(element)).filter(Boolean)) {
      const r = size / 2 + 2;
      const whole = 2 * Math.PI * r;
      const arc = { cx: x, cy: y, r, fill: "none", "stroke-width": 6 };
      group.append(
        draw("circle", { ...arc, stroke: "var(--mark-halo)", opacity: 0.7 }),
        draw("circle", { ...arc, stroke: "var(--spark)", "stroke-dasharray": `${(whole * courtesy) / this.told.courtesy} ${whole}`,
          transform: `rotate(-90 ${x} ${y})` }),
        draw("circle", { cx: x, cy: y, r: 17, fill: "var(--spark)" }),
        draw("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 20, "font-weight": 800, fill: "#251B35" },
          String(Math.ceil(courtesy))));
    }
    ours.append(group);
  }
}

function inDays(days, hours) {
  return hours ? say("days-hours-left", { days, hours }) : say("days-left", { days });
}

/** 9.4, 4:07, 90:00, 1:40:09, 2 d 4 h. */
function written(seconds) {
  if (seconds < LOW) return (Math.ceil(seconds * 10) / 10).toFixed(1);
  const whole = Math.ceil(seconds);
  if (whole >= DAY) return inDays(Math.floor(whole / DAY), Math.floor((whole % DAY) / HOUR));
  const two = (number) => String(number).padStart(2, "0");
  const rest = two(whole % MINUTE);
  if (whole < LONG) return `${Math.floor(whole / MINUTE)}:${rest}`;
  return `${Math.floor(whole / HOUR)}:${two(Math.floor((whole % HOUR) / MINUTE))}:${rest}`;
}
