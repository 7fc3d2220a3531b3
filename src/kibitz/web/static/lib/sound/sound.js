// What is heard and felt. Nothing before the first touch or key, as browsers want it; nothing where
// there is no sound; and never the only sign of anything.
import { storeItem, loadItem } from "../storage.js";
import { MAX_SOUND_S, NAMES, voice } from "./synth.js";

export const CHOSEN_MS = 15;
export const YOUR_TURN_MS = 40;

const MAX_VOICES = 6;
const ECHO_S = 0.04;
/** So many at once were missed, not made. */
const MAX_EVENTS = 12;
/** How long a sound stands alone before the next of the same telling, in milliseconds. */
const BEAT_MS = 180;
const BEATS_MS = { push: 360, pull: 360, pass: 320, kick: 320, tackle: 260, card: 420, dome: 420, try: 400 };
const STARTS = ["pointerdown", "pointerup", "keydown"];
const VOLUME = "0.7";

let context = null;
let master = null;
let voices = [];

for (const kind of STARTS) addEventListener(kind, begin, { capture: true, passive: true });

/** Also wakes what the system has put to sleep. */
function begin() {
  if (!isOn() || navigator.userActivation?.hasBeenActive === false) return;
  try {
    if (!context) open();
    if (context.state !== "running") context.resume().catch(() => {});
  } catch {
    context = null; // A browser without sound: the game goes on in silence.
  }
}

function open() {
  context = new AudioContext({ latencyHint: "interactive" });
  master = context.createGain();
  const soft = context.createWaveShaper();
  soft.curve = Float32Array.from({ length: 257 }, (_, i) => Math.tanh((i - 128) / 128 * 1.5) / Math.tanh(1.5));
  master.connect(soft).connect(context.destination);
  level();
}

function level() {
  // What is heard as half as loud is a quarter as strong.
  if (master) master.gain.value = isOn() ? volume() ** 2 : 0;
}

/** Plays a sound by its name, in so many milliseconds. What cannot be heard is left out. */
export function play(name, delay = 0) {
  if (context) playAt(name, context.currentTime + delay / 1000);
}

function playAt(name, at) {
  if (!isOn() || context.state !== "running" || !NAMES.includes(name)) return;
  const now = context.currentTime;
  voices = voices.filter(({ until }) => until > now);
  const near = voices.filter((other) => other.at < at + MAX_SOUND_S && other.until > at);
  if (near.length >= MAX_VOICES || near.some((other) => other.name === name && Math.abs(other.at - at) < ECHO_S)) return;
  voices.push({ name, at, until: at + MAX_SOUND_S });
  try {
    voice(name, context, master, at);
  } catch {
    // Better nothing heard than nothing played.
  }
}

/** The sounds of what happened, one after the other. Who was away for long hears only the last. */
export function playEvents(events) {
  if (!context) return;
  const names = events.map(({ sound }) => sound).filter(Boolean);
  let at = context.currentTime;
  for (const name of names.length > MAX_EVENTS ? names.slice(-1) : names) {
    playAt(name, at);
    at += (BEATS_MS[name] ?? BEAT_MS) / 1000;
  }
}

export function isOn() {
  return loadItem("sound", "on") === "on";
}

export function switchSound(on) {
  storeItem("sound", on ? "on" : "off");
  begin();
  level();
}

export function volume() {
  const chosen = Number(loadItem("volume", VOLUME));
  return chosen >= 0 && chosen <= 1 ? chosen : Number(VOLUME);
}

export function setVolume(loud) {
  storeItem("volume", String(Math.min(1, Math.max(0, loud))));
  level();
}

/** Vibrates, where there is something that does. */
export function buzz(ms) {
  if (isOn() && buzzIsOn() && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(ms);
}

export function buzzIsOn() {
  return loadItem("buzz", "on") === "on";
}

export function switchBuzz(on) {
  storeItem("buzz", on ? "on" : "off");
}
