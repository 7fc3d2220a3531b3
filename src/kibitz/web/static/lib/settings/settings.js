// What somebody may choose for this browser: what is heard, felt and told while they look elsewhere.
// The template has the words; each field is set to what was chosen and says what changes.
import { notifyIsOn, notifyState, switchNotify } from "../pwa/notifications.js";
import { buzz, buzzIsOn, CHOSEN_MS, isOn, play, setVolume, switchBuzz, switchSound, volume } from "../sound/sound.js";
import { pace, setPace } from "./pace.js";

const HAS_FINGERS = matchMedia("(any-pointer: coarse)");

/** The body of a sheet. */
export function settingsFields() {
  const fields = document.getElementById("settings").content.cloneNode(true).firstElementChild;
  const field = (name) => fields.querySelector(`[name=${name}]`);
  bindSound(field("sound"), field("volume"), field("buzz"), fields.querySelector("[data-try]"));
  bindVibration(field("buzz"));
  bindPace(field("pace"));
  bindNotifications(field("notify"), fields);
  return fields;
}

function bindSound(sound, loud, vibration, trial) {
  const show = () => {
    for (const each of [loud, vibration, trial]) each.disabled = !isOn();
  };
  const hear = () => play("turn");
  sound.checked = isOn();
  sound.addEventListener("change", () => {
    switchSound(sound.checked);
    show();
    hear();
  });
  loud.value = Math.round(volume() * 100);
  loud.addEventListener("input", () => setVolume(loud.value / 100));
  loud.addEventListener("change", hear);
  trial.addEventListener("click", hear);
  show();
}

function bindVibration(vibration) {
  vibration.closest("label").hidden = !navigator.vibrate || !HAS_FINGERS.matches;
  vibration.checked = buzzIsOn();
  vibration.addEventListener("change", () => {
    switchBuzz(vibration.checked);
    buzz(CHOSEN_MS);
  });
}

function bindPace(chosen) {
  chosen.value = pace();
  chosen.addEventListener("change", () => setPace(chosen.value));
}

function bindNotifications(notify, fields) {
  const show = () => {
    const state = notifyState();
    notify.checked = notifyIsOn();
    notify.disabled = state !== "possible";
    for (const note of fields.querySelectorAll("[data-notify]")) note.hidden = note.dataset.notify !== state;
  };
  notify.addEventListener("change", async () => {
    await switchNotify(notify.checked);
    show();
  });
  show();
}
