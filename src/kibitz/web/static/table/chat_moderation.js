// What may be done about what is said: by whoever said it, and by the host about others.
import { askConfirmation } from "../board/dialogs.js";
import { button } from "../board/prompt.js";
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { showToast } from "../lib/overlay/toast.js";
import { API } from "../lib/paths.js";
import { updateChildren } from "../lib/update_children.js";
import { fetchLinks } from "./invite.js";

const WHERE = `${API}/tables/${document.getElementById("table")?.dataset.id}/chat`;

/** Sends it; what went wrong is said in passing. */
async function request(url, how) {
  const answer = await fetch(url, how).catch(() => null);
  if (!answer?.ok) showToast(answer ? (await answer.json()).message : say("no-answer"));
}

function removeLine(n) {
  return request(`${WHERE}/${n}`, { method: "DELETE" });
}

async function moderate(verb, who) {
  await request(`${WHERE}/moderation`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: verb, who }) });
  if (verb === "remove-person") await fetchLinks();
}

/** One line: remove it, or do something about who said it. `done()` goes back to where one was. */
export function moderateMessage({ n, may_remove: mayRemove, is_mine: isMine, room, who }, called, done) {
  const after = (work) => async () => {
    closeSheet();
    await work();
    done();
  };
  openSheet(say("chat-line"), make("div", { class: "menu" },
    mayRemove && button({ icon: "trash", label: say("chat-remove"), does: after(() => removeLine(n)) }),
    who && !isMine && button({ icon: "close", label: say("chat-mute", { name: called }), does: after(() => moderate("mute", who)) }),
    who && !isMine && room === "spectators" && button({ icon: "act", kind: "bad", label: say("chat-out"), does: () => sure(called, who, done) })),
  { kind: "corner" });
}

function sure(name, who, done) {
  askConfirmation(say("chat-out"), say("chat-out-sure", { name }), async () => {
    await moderate("remove-person", who);
    done();
  });
}

/** Everybody who is or was here, and the switch for all of it. */
export async function moderatePeople(done) {
  const found = await look();
  if (!found) return;
  const list = make("div", { class: "chat-people" });
  const again = (verb, who) => async () => {
    await moderate(verb, who);
    const then = list.isConnected && await look(); // Somebody may have closed it.
    if (then) updateChildren(list, everybody(then, again, done));
  };
  list.append(...everybody(found, again, done));
  openSheet(say("chat-people"), list);
}

async function look() {
  const answer = await fetch(WHERE).catch(() => null);
  if (!answer?.ok) showToast(say("no-answer"));
  return answer?.ok ? answer.json() : null;
}

function everybody({ people, chat }, again, done) {
  const toggle = make("input", { class: "switch", type: "checkbox", role: "switch", checked: chat.is_open,
    onchange: ({ target }) => again(target.checked ? "open" : "close")() });
  const accounts = make("input", { class: "switch", type: "checkbox", role: "switch", checked: chat.is_for_accounts,
    onchange: ({ target }) => again(target.checked ? "accounts" : "everybody")() });
  return [
    make("label", { class: "setting" }, make("span", { class: "sp" }, say("chat-switch")), toggle),
    make("label", { class: "setting" }, make("span", { class: "sp" }, say("chat-accounts")), accounts),
    people.length ? make("ul", {}, ...people.map((each) => person(each, again, done))) : make("p", { class: "mut" }, say("chat-people-none")),
  ];
}

function person({ who, name, room, is_here: isHere, is_muted: isMuted, is_removed: isRemoved }, again, done) {
  const called = name || say("somebody");
  const isAside = room === "spectators";
  const notes = [isAside && say("chat-room-spectators"), say(isHere ? "here" : "away")].filter(Boolean).join(" · ");
  const act = (key, label, does) => {
    const made = button({ label, kind: "sm", name: `${label}: ${called}`, does });
    made.dataset.key = `${key}-${who}`;
    return made;
  };
  return make("li", { "data-key": who },
    make("span", { class: "sp" }, make("b", { dir: "auto" }, called), make("span", { class: "xs mut" }, notes)),
    act("mute", say(isMuted ? "chat-unmute" : "chat-mute-short"), again(isMuted ? "unmute" : "mute", who)),
    isAside && act("remove", say(isRemoved ? "chat-in" : "chat-out"), isRemoved ? again("readmit", who) : () => sure(called, who, () => moderatePeople(done))));
}
