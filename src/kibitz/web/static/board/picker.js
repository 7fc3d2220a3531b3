// The path picker. It keeps the elements touched so far and knows which may come next.
// It knows no rules: everything follows from the offers.

export class Picker {
  offers = [];
  path = [];
  /** The offers that share the whole path and wait for somebody to say which. */
  choice = null;
  /** The one that was said. */
  said = null;

  reset(offers, path = []) {
    this.offers = offers;
    this.follow(this.matching(path).length ? path : []);
  }

  /** The offers whose path begins like this. */
  matching(path = this.path) {
    return this.offers.filter((offer) => path.every((element, i) => offer.path[i] === element));
  }

  /** The elements that may come next. */
  next(path = this.path) {
    return new Set(this.matching(path).map((offer) => offer.path[path.length]).filter(Boolean));
  }

  /** The one offer that is left, or null. Its path may be longer than what was touched. */
  get chosenOffer() {
    if (this.said) return this.said;
    if (!this.path.length || this.choice) return null;
    const left = distinct(this.matching());
    return left.length === 1 ? left[0] : null;
  }

  get isComplete() {
    return this.chosenOffer !== null && this.chosenOffer.path.length === this.path.length;
  }

  /** Takes one more element, or goes back as far as it fits; false if it fits nowhere. */
  touch(element) {
    const path = this.ways().find((each) => this.next(each).has(element));
    if (path) this.follow([...path, element]);
    return Boolean(path);
  }

  /** What one more element may follow: the path, its latest part while it is not whole, its beginning. */
  ways() {
    const parts = this.path.map((_, i) => i);
    const latest = this.isComplete ? [] : parts.slice(1).map((i) => this.path.slice(i));
    return [this.path, ...latest, ...parts.reverse().map((i) => this.path.slice(0, i))];
  }

  follow(path) {
    this.path = path;
    this.choice = null;
    this.said = null;
    if (!path.length) return;
    const left = this.matching();
    const whole = distinct(left.filter((offer) => offer.path.length === path.length));
    const goesOn = left.some((offer) => offer.path.length > path.length);
    const needsWord = whole.length > 1 || (whole.length === 1 && goesOn && !this.chosenOffer);
    this.choice = needsWord ? { offers: whole, goesOn } : null;
  }

  /** One of the offers of `choice`; null goes on along the path. */
  choose(offer) {
    this.said = offer;
    this.choice = null;
  }

  back() {
    this.follow(this.path.slice(0, -1));
  }

  drop() {
    this.follow([]);
  }

  /** Where this element can be dragged: the last element, and the offers that end there. */
  drops(element) {
    const left = this.matching();
    const moved = left.filter((offer) => offer.path.at(-2) === element);
    const first = left.filter((offer) => offer.path[this.path.length] === element);
    const drops = new Map();
    for (const offer of moved.length ? moved : first) {
      const last = offer.path.at(-1);
      if (last !== element) drops.set(last, [...(drops.get(last) ?? []), offer]);
    }
    return drops;
  }
}

/** One offer for each different action. */
export function distinct(offers) {
  const seen = new Map();
  for (const offer of offers) {
    const key = JSON.stringify(offer.actions);
    if (!seen.has(key)) seen.set(key, offer);
  }
  return [...seen.values()];
}

/** Whether two offers, or lists of something, are the same. */
export function isAlike(one, two) {
  return JSON.stringify(one) === JSON.stringify(two);
}
