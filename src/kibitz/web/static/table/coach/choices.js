// What somebody wants of the coach, kept by the browser: at first hints against bots, and no more.
import { loadItem, storeItem } from "../../lib/storage.js";

const WARNINGS = "coach-warns";
const SHARED = "coach-shared";

export function warningsAreOn() {
  return loadItem(WARNINGS, "off") === "on";
}

export function switchWarnings(isOn) {
  storeItem(WARNINGS, isOn ? "on" : "off");
}

/** Whether hints are offered to people who share a device. */
export function sharedHintsAreOn() {
  return loadItem(SHARED, "off") === "on";
}

export function switchSharedHints(isOn) {
  storeItem(SHARED, isOn ? "on" : "off");
}
