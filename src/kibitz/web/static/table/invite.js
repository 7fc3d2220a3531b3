// Links: the panel over the board while a seat is free, and the sheet to invite others later.
import { button } from "../board/prompt.js";
import { icon, make, nodes } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { linkOrigin, networkNote, networkNotice } from "../lib/links/network.js";
import { openSheet } from "../lib/overlay/dialog.js";
import { API, ROOT } from "../lib/paths.js";
import { unmask } from "../lib/unmask.js";

const TABLE = document.getElementById("table");
const panel = document.getElementById("invite");
const ROLES = {
  watch: { name: say("link-watch"), hint: say("link-watch-hint") },
  referee: { name: say("link-referee"), hint: say("link-referee-hint") },
  bookkeeper: { name: say("link-bookkeeper"), hint: say("link-bookkeeper-hint") },
};
const NOTICE_MS = 2000;
let links = unmask("links");
let held = null;
let shown = "";
let hasCancelled = false;

/** `send` takes actions. */
export function showInvitations(view, send) {
  const { seats, table, outcome } = view;
  refreshLinks(seats, () => showInvitations(view, send));
  const free = seats.filter((seat) => seat.is_free);
  const sit = table.menu.filter(({ text }) => text.startsWith("sit "));
  const isSeeking = table.is_seeking && seats.some((seat) => seat.is_mine);
  const mayInviteNow = Boolean(links.room);
  const isShown = table.is_waiting && !outcome && (isSeeking || sit.length || mayInviteNow);
  if (table.is_aborted && hasCancelled) location.assign(`${ROOT}/`);
  const look = JSON.stringify([isShown, isSeeking, free.map(({ seat }) => seat), table.menu, links]);
  if (look === shown) return;
  shown = look;
  panel.hidden = !isShown;
  panel.replaceChildren();
  if (!isShown) return;
  if (isSeeking) {
    panel.append(...seeking(send));
    return;
  }
  const redraw = () => { shown = ""; showInvitations(view, send); };
  if (mayInviteNow) panel.append(...invitation(free, table.menu, send, redraw));
  else panel.append(...sit.map((item) => seatButton(item, seats, send)));
}

/** An opponent is looked for; there is nothing to do but to wait, or to think again. */
function seeking(send) {
  return [
    make("div", { class: "row" }, icon("seek", "l"), make("h2", { class: "sp" }, say("seeking"))),
    make("p", { class: "sm mut" }, say("seeking-hint")),
    button({ label: say("seeking-cancel"), icon: "close", does: () => { hasCancelled = true; send(["abort"]); } }),
  ];
}

/** Whoever has sat down may pass on other links than before. */
async function refreshLinks(seats, done) {
  const mine = seats.filter((seat) => seat.is_mine).map(({ seat }) => seat).join();
  const isKnown = held === null || held === mine;
  held = mine;
  if (isKnown) return;
  links = {};
  if (await fetchLinks()) done();
}

/** Asks which links may be passed on now; whether that worked. */
export async function fetchLinks() {
  const answer = await fetch(`${API}/tables/${TABLE.dataset.id}/links`).catch(() => null);
  if (!answer?.ok) return false;
  links = await answer.json();
  return true;
}

function seatButton({ text, label }, seats, send) {
  const seat = seats.find(({ seat: name }) => text === `sit ${name}`);
  return make("button", { class: "btn pri sit", type: "button", onclick: () => send([text]) }, make("span", { class: "glyph" }, nodes(seat.glyph)), label);
}

function invitation(free, menu, send, redraw) {
  const bots = free.map(({ seat }) => menu.find(({ text }) => text.startsWith(`bot ${seat} `))).filter(Boolean);
  return [
    make("div", { class: "row" }, icon("link", "l"), make("h2", { class: "sp" }, say("invite-room"))),
    ...room(redraw, "pri"),
    ...bots.map((bot) => button({ label: bot.label, icon: "bot", does: () => send([bot.text]) })),
    more(redraw),
    networkNote(redraw) ?? "",
  ];
}

/** The one link and code for everybody; before that, a way in for their phones. */
function room(redraw, kind) {
  const notice = networkNotice(redraw);
  if (notice) return [notice];
  return [
    make("img", { class: "qr", src: `${ROOT}/t/${TABLE.dataset.id}/qr/room?${linkOrigin()}`, alt: say("qr"), width: 180, height: 180 }),
    make("p", { class: "sm mut" }, say("invite-room-hint")),
    sharing("room", say("link-room"), kind),
  ];
}

/** The link of a place, with what can be done with it. */
function sharing(place, title, kind = "") {
  const url = linkOrigin() + links[place];
  const field = make("input", { class: "field mono", readonly: true, value: url, "aria-label": say("link-to", { name: title }),
    onfocus: ({ target }) => target.select() });
  const copy = button({ label: say("copy"), icon: "copy", kind: navigator.share ? "" : kind, does: () => copyLink(field, copy) });
  const share = navigator.share && button({ label: say("share"), icon: "share", kind,
    does: () => navigator.share({ title: document.title, url }).catch(() => null) });
  return make("div", { class: "sharing" }, field, make("div", { class: "row" }, copy, share));
}

async function copyLink(field, copy) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand("copy")) return; // Selected, so that the reader's own copy works.
  }
  copy.replaceChildren(icon("check"), say("copied"));
  setTimeout(() => copy.replaceChildren(icon("copy"), say("copy")), NOTICE_MS);
}

function more(redraw) {
  if (networkNotice(redraw)) return "";
  return make("details", { class: "links" }, make("summary", {}, say("more-links")), ...otherLinks());
}

function otherLinks() {
  return Object.entries(ROLES).filter(([place]) => links[place]).map(([place, { name, hint }]) =>
    make("div", { class: "link" }, make("b", {}, name), make("span", { class: "sm mut" }, hint), sharing(place, name)));
}

/** Whether there is anything to pass on. */
export function mayInvite() {
  return Object.keys(links).length > 0;
}

/** All links that somebody may pass on, while the match goes on: the room's, of their own side, and of roles. */
export function openInvitations(view) {
  const redraw = () => openInvitations(view);
  const shown = links.room ? [...room(redraw, "pri"), networkNote(redraw) ?? ""] : [];
  const sides = view.seats.filter(({ seat, is_mine: isMine }) => isMine && links[seat]).map(({ seat, name }) =>
    make("div", { class: "link" }, make("b", {}, name), make("span", { class: "sm mut" }, say("link-seat-hint")), sharing(seat, name)));
  const others = networkNotice(redraw) ? [] : [...sides, ...otherLinks()];
  openSheet(say("invite"), make("div", { class: "links" }, make("div", { class: "room" }, ...shown), ...others));
}
