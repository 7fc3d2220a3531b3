// A view comes whole once, and then as what has changed since: this makes whole views of both.

/** What is news in a view: without it, there is none. */
const NEWS = { svg: null, layers: {}, events: [], short_texts: [], log: [] };
const TAG = "<";
/** The signs that stand for what a row puts into a form. */
const HOLES = /[\uE100-\uE1FF]/g;
const FIRST_HOLE = 0xe100;

/** The version of what there is after a whole view. */
const WHOLE_VERSION = 0;

export class ViewPatches {
  view = null;
  /** The version of what there is; null before anything. */
  version = null;
  /** The markup of the layers that were sent as text, cut into parts. */
  layers = {};
  /** The offers, as they were when there last were any. */
  offers = [];
  /** Offers with holes, as text. */
  forms = [];

  /**
   * The message as if it had come whole; it is for the messages of one connection, in their order. Null: it
   * changes something else than what there is, so that nothing can be made of it.
   */
  take({ base, version, ...message }) {
    if (message.type === "view") {
      this.forms = [];
      this.version = WHOLE_VERSION;
      return this.keep(message, {});
    }
    if (base === undefined) return message;
    if (base !== this.version) return null;
    this.version = version;
    if (message.type === "people") {
      this.view = { ...this.view, seats: message.seats, table: message.table };
      return message;
    }
    const { forms = [], layers = {}, ...fields } = message;
    const changed = Object.entries(layers).map(([name, made]) => [name, this.layer(name, made)]);
    const view = { ...this.view, ...NEWS, ...fields, type: "view" };
    view.layers = Object.fromEntries(changed.map(([name, parts]) => [name, parts.join(TAG)]));
    this.forms.push(...forms);
    if (fields.offers) view.offers = reuse(this.offers, fields.offers).map((each) => this.offer(each));
    view.seats = view.seats.map((seat) => ({ ...seat, is_to_act: view.to_act.includes(seat.seat) }));
    return this.keep(view, { ...this.layers, ...Object.fromEntries(changed) });
  }

  keep(view, layers) {
    this.view = view;
    this.layers = layers;
    if (view.offers.length) this.offers = view.offers;
    return view;
  }

  /** An offer, of one or of a row: the number of its form, and what fills it. */
  offer(sent) {
    if (!Array.isArray(sent)) return sent;
    const [form, ...values] = sent;
    const text = (hole) => JSON.stringify(values[hole.charCodeAt(0) - FIRST_HOLE]).slice(1, -1);
    return JSON.parse(this.forms[form].replace(HOLES, text));
  }

  /** The parts of a layer: of one that was sent, or of what it was, where nothing is. */
  layer(name, made) {
    if (made === null) return this.layers[name];
    return typeof made === "string" ? made.split(TAG) : reuse(this.layers[name], made);
  }
}

/** Parts, of which those that were had before are two numbers: which is the first, and how many. */
function reuse(had, sent) {
  const made = [];
  for (let i = 0; i < sent.length; i++) {
    if (typeof sent[i] === "number") made.push(...had.slice(sent[i], sent[i] + sent[++i]));
    else made.push(sent[i]);
  }
  return made;
}
