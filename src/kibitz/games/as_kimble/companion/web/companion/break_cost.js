// What ignoring a break costs, and who has ignored the one that lasts: for phones and the party screen.
import { say } from "../lib/i18n.js";

const IGNORED = /^([RBYG] (ignored|stray \d)$|ref pen )/;

export function breakCost({ break_penalty: n }) {
  if (!n) return say("break-costs-free");
  return n === 1 ? say("break-costs-one") : say("break-costs", { n });
}

/** The lines of a log that tell of somebody who ignored the break, and what the referee made of it; its latest break began with `break`. */
export function ignoredLines(log) {
  const begun = log.findLastIndex(({ code }) => code === "break");
  return log.slice(begun + 1).filter(({ code }) => IGNORED.test(code));
}
