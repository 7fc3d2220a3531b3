// What a move is good for, in sentences on a sheet: how the match could go on, and what that is worth.
import { make } from "../../lib/dom.js";
import { openSheet } from "../../lib/overlay/dialog.js";

/**
 * `line` is told in order, and `lead` leads to it.
 * @param {string} heading
 * @param {{ text?: string, lead?: string, line: string[], notes: string[] }} reasons
 */
export function openReasons(heading, { text = "", lead = "", line, notes }) {
  const steps = line.length > 1 ? make("ol", { class: "line" }, ...line.map((each) => make("li", {}, each))) : make("p", {}, line[0] ?? "");
  openSheet(heading, make("div", { class: "reasons" },
    text && make("p", {}, make("b", {}, text)),
    lead && make("p", { class: "mut" }, lead),
    line.length > 0 && steps,
    ...notes.filter(Boolean).map((each) => make("p", { class: "sm" }, each))), { kind: "corner" });
}
