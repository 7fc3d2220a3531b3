// Questions to the coach of whoever plays alone.
import { say } from "../../lib/i18n.js";
import { showToast } from "../../lib/overlay/toast.js";
import { API } from "../../lib/paths.js";

const TABLE = document.getElementById("table");
const BUSY_STATUS = 429;
const RETRY_MS = 2000;
const TRIES = 5;

/**
 * What the coach says to whoever acts in a match; null where it says nothing, or too late. Where the
 * bots are busy it is asked again, as long as the position is the same.
 */
export async function askCoach(match, what) {
  const { acting, seq } = match.view;
  const isSame = () => match.view.seq === seq && match.view.acting === acting;
  const address = addressOf(match, what);
  let answer = null;
  for (let tries = TRIES; tries > 0 && isSame(); tries -= 1) {
    answer = await fetch(address).catch(() => null);
    if (answer?.status !== BUSY_STATUS) break;
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
  const found = await answer?.json().catch(() => null);
  if (!isSame()) return null;
  if (!answer?.ok) showToast(found?.message ?? say("no-answer"));
  return answer?.ok && found.seq === match.view.seq ? found : null;
}

/** On a shared device it is told who is looking. */
export function addressOf({ view: { acting } }, what, asked = {}) {
  const values = Object.entries({ seat: acting ?? "", ...asked }).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return `${API}/tables/${TABLE.dataset.id}/${what}?${new URLSearchParams(values)}`;
}
