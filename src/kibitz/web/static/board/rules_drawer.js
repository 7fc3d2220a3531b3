// The rules beside the board: a drawer on a desk, a sheet on a phone.
import { icon, make, nodes } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";

const WIDE = matchMedia("(min-width: 1000px) and (min-height: 501px)");
const TABLE = document.getElementById("table");
const drawer = document.getElementById("reading");
let article = null;

export async function openRules(address, paragraph = "") {
  article ??= await fetchRules(address);
  if (WIDE.matches) openDrawer();
  else openSheet(say("rules-of", { title: TABLE.dataset.title }), article, { kind: "tall" });
  show(paragraph);
}

export function closeRules() {
  if (drawer.hidden) return false;
  drawer.hidden = true;
  document.body.classList.remove("reads");
  return true;
}

WIDE.addEventListener("change", () => {
  closeRules();
  closeSheet();
});

async function fetchRules(address) {
  const answer = await fetch(`${address}?part=1`);
  if (!answer.ok) throw new Error(`the rules did not come: ${answer.status}`);
  const made = make("article", { class: "rules" });
  made.append(nodes(await answer.text()));
  const chapters = [...made.querySelectorAll("h2[id]")].map((heading) =>
    make("a", { class: "chip", href: `#${heading.id}`, onclick: (event) => jump(event, heading.id) }, heading.textContent));
  made.prepend(make("nav", { class: "toc" }, ...chapters));
  return made;
}

function jump(event, paragraph) {
  event.preventDefault();
  show(paragraph);
}

function openDrawer() {
  if (drawer.hidden) {
    const close = make("button", { class: "btn sm ghost only", "aria-label": say("close"), onclick: closeRules }, icon("close"));
    drawer.replaceChildren(
      make("div", { class: "row head" }, make("h2", { class: "sp" }, say("rules-of", { title: TABLE.dataset.title })), close),
      make("div", { class: "body", tabindex: "0" }, article));
    drawer.hidden = false;
    document.body.classList.add("reads");
  } else if (!drawer.contains(article)) {
    drawer.querySelector(".body").replaceChildren(article);
  }
}

/** Marks a paragraph and brings it into view: its heading, and what follows up to the next. */
function show(paragraph) {
  article.querySelector(".hl")?.replaceWith(...article.querySelector(".hl").childNodes);
  article.querySelector(".toc [aria-current]")?.removeAttribute("aria-current");
  const heading = paragraph && article.querySelector(`#${CSS.escape(paragraph)}`);
  const room = article.parentElement;
  if (!heading) {
    room.scrollTop = 0;
    return;
  }
  const marked = make("div", { class: "hl" });
  heading.before(marked);
  do marked.append(marked.nextElementSibling);
  while (marked.nextElementSibling && !/^H[1-6]$/.test(marked.nextElementSibling.tagName));
  const chapter = paragraph.split(".")[0];
  article.querySelector(`.toc [href="#${CSS.escape(chapter)}"]`)?.setAttribute("aria-current", "true");
  room.scrollTop += heading.getBoundingClientRect().top - room.getBoundingClientRect().top - 12;
}
