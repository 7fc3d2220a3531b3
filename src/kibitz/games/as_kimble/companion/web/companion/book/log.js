// The log of a book: its lines, and when each was entered.
import { fetchJson } from "../../lib/fetch_json.js";
import { API } from "../../lib/paths.js";
import { earlierLines, missingLines } from "../../table/earlier_lines.js";

export class BookLog {
  lines = [];
  /** When each line was entered, in milliseconds; what is missing came before us. */
  times = [];

  constructor(id, onChange) {
    this.id = id;
    this.onChange = onChange;
  }

  /** What is told anew after a silence was entered whenever that was. */
  take({ log, log_from: from, svg }) {
    const before = this.lines;
    const known = before.slice(0, from);
    this.lines = [...known, ...missingLines(known.length, from), ...log];
    if (known.length < from) this.#fill(from);
    this.times.length = Math.min(this.times.length, this.lines.length);
    for (const { n, code } of log) if (before[n - 1]?.code !== code) this.times[n - 1] = svg ? undefined : Date.now();
  }

  async #fill(until) {
    for await (const lines of earlierLines(this.id, until)) {
      for (const each of lines) this.lines[each.n - 1] = each;
      this.onChange();
    }
  }

  /** When that was entered which was there before this page. */
  async fetchTimes() {
    const [record, info] = await Promise.all([fetchJson(`${API}/tables/${this.id}/record`), fetchJson(`${API}/tables/${this.id}`)]);
    if (info) record?.times?.forEach((at, i) => { this.times[i] ??= (info.created + at) * 1000; });
  }

  /** The time of day of a line. */
  clock(n) {
    const at = this.times[n - 1];
    return at ? timeOf(at) : "";
  }
}

/** The time of day of a moment. */
export function timeOf(at) {
  return new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
