// Further phones and screens: one code for everybody, and one for each role.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { linkOrigin, networkNote, networkNotice } from "../lib/links/network.js";
import { ROOT } from "../lib/paths.js";
import { storeItem, loadItem } from "../lib/storage.js";
import { unmask } from "../lib/unmask.js";

const ROOM = "room";
const ROLES = ["referee", "bookkeeper", "watch", "party"];
const ICONS = { room: "link", referee: "whistle", bookkeeper: "book", watch: "eye", party: "screen" };
const NOTICE_MS = 2000;
const links = unmask("links");
let place = "";

export function devicesPage(book) {
  const places = [ROOM, ...ROLES].filter((each) => links[each]);
  if (!places.includes(place)) place = places[0] ?? "";
  const notice = place && networkNotice(() => book.show());
  return [
    make("h2", {}, say("book-phones")),
    make("p", { class: "mut sm" }, say("book-phones-hint")),
    place && !notice && make("div", { class: "places", role: "group", "aria-label": say("book-phones") }, ...places.map((each) =>
      make("button", { type: "button", class: "btn sm", "aria-pressed": String(each === place), "data-place": each,
        onclick: () => { place = each; book.show(); } },
      icon(ICONS[each], "s"), nameOf(each)))),
    notice || (place && code(book)),
    make("h2", {}, say("book-screens")),
    make("a", { class: "btn pri wide big", href: `${ROOT}/party/${book.id}`, target: "_blank" }, icon("screen"), say("book-party")),
    !book.isLedger && make("a", { class: "btn wide", href: `${ROOT}/t/${book.id}` }, icon("eye"), say("book-board")),
    water(book),
  ];
}

function nameOf(each) {
  return say({ room: "link-room", referee: "link-referee", bookkeeper: "link-bookkeeper", watch: "link-watch", party: "link-party" }[each]);
}

function hint() {
  return say({ room: "book-link-room", referee: "book-link-referee", bookkeeper: "book-link-bookkeeper", watch: "book-link-watch",
    party: "book-link-party" }[place]);
}

function code(book) {
  const url = linkOrigin() + links[place];
  const title = nameOf(place);
  const field = make("input", { class: "field mono", readonly: true, value: url, "aria-label": say("link-to", { name: title }) });
  const copy = button({ label: say("copy"), icon: "copy", does: ({ currentTarget }) => copyLink(url, currentTarget) });
  return make("div", { class: "card code", "data-key": `code-${place}` },
    make("img", { class: "qr", src: `${ROOT}/t/${book.id}/qr/${place}?${linkOrigin()}`, alt: say("qr"), width: 200, height: 200 }),
    make("p", { class: "sm mut" }, hint()),
    field,
    make("div", { class: "row" }, copy, navigator.share && button({ label: say("share"), icon: "share", kind: "pri",
      does: () => navigator.share({ title: document.title, url }).catch(() => null) })),
    networkNote(() => book.show()) ?? "");
}

async function copyLink(url, copy) {
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    return; // The field can be selected by hand.
  }
  copy.replaceChildren(icon("check"), say("copied"));
  setTimeout(() => copy.replaceChildren(icon("copy"), say("copy")), NOTICE_MS);
}

/** Nobody is reminded of anything unless they want to be. */
function water(book) {
  const name = `kibitz-water-${book.id}`;
  return make("label", { class: "check" },
    make("input", { type: "checkbox", checked: loadItem(name, "") === "on", onchange: ({ target }) => storeItem(name, target.checked ? "on" : "off") }),
    say("book-water-on"));
}

const WATER_MS = 45 * 60 * 1000;

/** Once in a while, for those who want it. */
export function remindOfWater(book) {
  setInterval(() => { if (loadItem(`kibitz-water-${book.id}`, "") === "on" && !book.figures?.break) book.pass(say("book-water")); }, WATER_MS);
}
