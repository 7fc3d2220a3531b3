// What happens to a real dome (12.2): a sheet for each, that says what to do, what counts and who pops again.
// Which of them may be entered comes from the server; before colours are known it is a chair's starting pop.
import { button } from "../../board/prompt.js";
import { make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { closeSheet, openSheet } from "../../lib/overlay/dialog.js";
import { faces } from "../dice.js";
import { popAfterSentence } from "../hembo.js";

/** `of` gives the offers of some kinds, as they are now. */
export function mishapButtons(book, of) {
  const found = [
    [of("silent"), say("book-silent"), () => openSilent(book, of("silent"))],
    [of("sticky"), say("book-sticky"), () => openSticky(book, of("sticky")[0])],
    [of("church"), say("book-church"), () => openChurch(book, of("church")[0], of("pop", "lot"))],
    [of("stray"), say("book-stray"), () => openStray(book, of("stray"))],
  ].filter(([offers]) => offers.length);
  if (!found.length) return "";
  return make("div", { class: "stack" }, make("h3", { class: "sect" }, say("book-odd")),
    make("div", { class: "two" }, ...found.map(([, label, does]) => button({ label, does }))));
}

/** A pop to loosen the dome: it enters the book only where lots are drawn. */
export function openWarm(book, offers) {
  openFaces(book, say("book-warm"), say("book-warm-shown"), offers, (offer, seq) => book.requests.send(offer.actions, { seq }));
}

function openSilent(book, offers) {
  openFaces(book, say("book-silent"), say("book-silent-shown", { team: book.teams.name(offers[0].seat) }), offers,
    (offer, seq) => book.requests.send(offer.actions, { seq }));
}

function openSticky(book, offer) {
  const { seq } = book.view;
  const enter = () => {
    closeSheet();
    popAfterSentence(book, (at) => book.requests.send(offer.actions, { seq: at }), seq);
  };
  openSheet(say("book-sticky"), make("div", { class: "sure" }, make("p", {}, offer.prompts.at(-1)),
    button({ label: say("book-sticky-counts"), kind: "pri wide", icon: "check", does: enter })));
}

/** The die falls by tapping, and then it is the pop or the lot. */
function openChurch(book, church, pops) {
  openFaces(book, say("book-church"), church.prompts.at(-1), pops, (offer, seq) => {
    popAfterSentence(book, (at) => book.requests.send([...church.actions, ...offer.actions], { seat: offer.seat, seq: at }), seq);
  });
}

function openStray(book, offers) {
  const teams = [...new Set(offers.map(teamOf))];
  const open = (team) => openFaces(book, say("book-stray"), say("book-stray-shown", { team: book.teams.name(team) }),
    offers.filter((offer) => teamOf(offer) === team), (offer, seq) => book.requests.send(offer.actions, { seq }));
  openSheet(say("book-stray"), make("div", { class: "sure" }, make("p", {}, say("book-stray-who")),
    make("div", { class: "two" }, ...teams.map((team) => make("button", { class: `btn team team-${team}`, type: "button", onclick: () => open(team) },
      book.teams.glyph(team), book.teams.name(team))))));
}

/** A sheet that ends with the face that the die shows. It is meant at the row where it was opened. */
function openFaces(book, title, text, offers, enter) {
  const { seq } = book.view;
  const choices = offers.map((offer) => ({ face: faceOf(offer), label: offer.label, does: () => { closeSheet(); enter(offer, seq); } }));
  openSheet(title, make("div", { class: "sure" }, make("p", {}, text), faces(choices, say("book-shown"))));
}

function teamOf({ actions: [text] }) {
  return text.split(" ")[0];
}

export function faceOf({ actions: [text] }) {
  return Number(text.split(" ").at(-1));
}
