// In the place of a page that needs the network: what was kept, and another try once there is one.
import { icon, make } from "../lib/dom.js";
import { keptBook, keptBookIds } from "../lib/forget.js";
import { say } from "../lib/i18n.js";
import { ROOT } from "../lib/paths.js";

const SETTLE_MS = 500;

const books = document.getElementById("books");
const teams = ({ view }) => Object.values(view.table.book?.teams ?? {}).map(({ name }) => name).filter(Boolean).join(", ");

books.append(...keptBookIds().map((id) => make("li", { class: "card" },
  make("b", { class: "sp" }, [say("book"), teams(keptBook(id))].filter(Boolean).join(": ")),
  make("a", { class: "btn sm soft", href: `${ROOT}/book/${id}` }, icon("book", "s"), say("offline-open")))));
books.hidden = !books.children.length;

/** Only an installed app has kept rules and lessons. */
async function hideMissing(card) {
  const links = [...card.querySelectorAll("a")];
  await Promise.all(links.map(async (link) => { link.hidden = !await window.caches?.match(link.pathname, { ignoreVary: true }); }));
  card.hidden = links.every((link) => link.hidden);
}

document.querySelectorAll("#reading > li").forEach(hideMissing);

document.getElementById("again").addEventListener("click", () => location.reload());
// A network that is gone again at once takes nobody back who is on the way to what was kept.
addEventListener("online", () => setTimeout(() => navigator.onLine && location.reload(), SETTLE_MS));
