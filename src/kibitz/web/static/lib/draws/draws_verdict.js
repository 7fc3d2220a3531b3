// What this browser found when it made the draws of a match again.
import { say } from "../i18n.js";
import { checkDraws } from "./draws.js";

/** Says it in a paragraph, which is shown with it. */
export async function showVerdict(id, paragraph) {
  const { fault, n, number, isOwn } = await checkDraws(id);
  const isUnable = fault === "unable" || fault === "unanswered";
  paragraph.textContent = fault ? faultText(fault, number) : say(isOwn ? "draws-checked-own" : "draws-checked", { n });
  paragraph.classList.toggle("ok", !fault);
  paragraph.classList.toggle("bad", Boolean(fault) && !isUnable);
  paragraph.hidden = false;
}

function faultText(fault, number) {
  if (fault === "unable") return say("draws-unable");
  if (fault === "unanswered") return say("no-answer");
  if (fault === "wrong") return say("draws-wrong", { n: number });
  return fault === "missing" ? say("draws-missing") : say("draws-swapped");
}
