// A record file, as far as a board needs it.
import { say } from "../lib/i18n.js";

const FORMAT_VERSION = 1;

/** `{ options, start, actions }`; throws an error that says in words what is wrong with it. */
export function readRecord(text, game) {
  const record = parseJson(text);
  const isRecord = record?.kibitz === FORMAT_VERSION && typeof record.start === "string" && isList(record.actions) && isPlain(record.options);
  if (!isRecord) throw new Error(say("no-record"));
  if (record.game !== game) throw new Error(say("other-game"));
  const { options, start, actions } = record;
  return { options, start, actions };
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isList(value) {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isPlain(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
