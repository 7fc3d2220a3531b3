// What a bot expected when it took its latest turn.
import { say } from "../../lib/i18n.js";
import { askCoach } from "./ask.js";
import { openReasons } from "./reasons.js";

export async function openPlan(match) {
  const found = await askCoach(match, "plan");
  if (found) openReasons(say("plan"), { lead: found.text, line: found.line, notes: [found.worth, found.better] });
}
