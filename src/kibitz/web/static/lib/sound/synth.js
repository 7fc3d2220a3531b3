// Every sound, made from oscillators and noise. A recipe puts its nodes into any audio context,
// from the moment `at` on, all of it within MAX_SOUND_S seconds.
export const MAX_SOUND_S = 0.4;

const NOISE_S = 1;
const QUIET_GAIN = 0.0005;
const RISE_S = 0.001;
const noises = new WeakMap();

/** One second of white noise, made once for each context. */
function noiseOf(context) {
  if (!noises.has(context)) {
    const buffer = context.createBuffer(1, NOISE_S * context.sampleRate, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    noises.set(context, buffer);
  }
  return noises.get(context);
}

/**
 * From nothing to `peak` within `rise` seconds, and back to nothing at the end of `length`: it dies
 * away as what was struck does, or goes evenly.
 */
function envelope({ context, out }, at, { peak, length, rise = RISE_S, even = false }) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(peak, at + rise);
  if (even) gain.gain.linearRampToValueAtTime(0, at + length);
  else gain.gain.exponentialRampToValueAtTime(QUIET_GAIN, at + length);
  gain.connect(out);
  return gain;
}

function glide(param, at, from, to, length) {
  param.setValueAtTime(from, at);
  if (to !== from) param.exponentialRampToValueAtTime(to, at + length);
}

/** A note; `bend` is how soon its pitch has gone from `from` to `to`. */
function tone(sink, at, { from, to = from, peak, length, rise = RISE_S, bend = length, type = "sine" }) {
  const source = sink.context.createOscillator();
  source.type = type;
  glide(source.frequency, at, from, to, bend);
  source.connect(envelope(sink, at, { peak, length, rise }));
  source.start(at);
  source.stop(at + length);
}

/** Filtered noise: a brush, a slap, a hiss. */
function hiss(sink, at, { from, to = from, q = 0.8, kind = "bandpass", peak, length, ...shape }) {
  const { context } = sink;
  const source = context.createBufferSource();
  source.buffer = noiseOf(context);
  source.loop = true;
  const filter = context.createBiquadFilter();
  filter.type = kind;
  filter.Q.value = q;
  glide(filter.frequency, at, from, to, length);
  source.connect(filter).connect(envelope(sink, at, { peak, length, ...shape }));
  source.start(at, Math.random() * NOISE_S);
  source.stop(at + length);
}

/** Something struck: a click and the tones it rings in, each [pitch, peak, length]. */
function struck(sink, at, modes, { click = 0, bright = 3000 } = {}) {
  for (const [from, peak, length] of modes) tone(sink, at, { from, peak, length });
  if (click) hiss(sink, at, { from: bright, peak: click, length: 0.012, q: 0.6 });
}

/** A bar of wood: its overtones are those of a bar, and gone sooner. */
function wood(sink, at, pitch, peak, length) {
  struck(sink, at, [[pitch, peak, length], [pitch * 2.76, peak * 0.4, length * 0.55], [pitch * 5.4, peak * 0.15, length * 0.3]],
    { click: peak * 0.7, bright: Math.min(9000, pitch * 3) });
}

/** A tuned bar, for the little tunes. */
function bell(sink, at, pitch, peak, length) {
  struck(sink, at, [[pitch, peak, length], [pitch * 2, peak * 0.18, length * 0.7], [pitch * 4, peak * 0.14, length * 0.3]], { click: peak * 0.2 });
}

/** Wind through a horn: bright while it swells, then mellow. */
function horn(sink, at, pitch, peak, length, rise = 0.02) {
  const { context } = sink;
  const filter = context.createBiquadFilter();
  filter.type = "lowpass";
  filter.Q.value = 0.7;
  filter.frequency.setValueAtTime(pitch * 1.5, at);
  filter.frequency.exponentialRampToValueAtTime(pitch * 5, at + rise + 0.02);
  filter.frequency.exponentialRampToValueAtTime(pitch * 2, at + length);
  filter.connect(sink.out);
  for (const detuned of [pitch * 0.997, pitch * 1.003]) {
    sustainedNote({ context, out: filter }, at, { from: detuned, peak: peak / 2, length, rise });
  }
}

/** A note that stays before it goes. */
function sustainedNote({ context, out }, at, { from, peak, length, rise }) {
  const source = context.createOscillator();
  const gain = context.createGain();
  source.type = "sawtooth";
  source.frequency.value = from;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(peak, at + rise);
  gain.gain.setValueAtTime(peak, at + length * 0.55);
  gain.gain.linearRampToValueAtTime(0, at + length);
  source.connect(gain).connect(out);
  source.start(at);
  source.stop(at + length);
}

/** A little more or less, so that nothing sounds the same twice. */
function about(value, share = 0.04) {
  return value * (1 + share * (2 * Math.random() - 1));
}

/** Wood drawn over wood: it judders. */
function slide(sink, at, from, to, { peak, length, rise }) {
  hiss(sink, at, { from, to, q: 1.4, peak, length, rise, even: true });
  const judder = 9;
  for (let i = 0; i < judder; i++) {
    const share = (i + 0.5) / judder;
    const loud = rise < length / 2 ? 1 - share : share;
    hiss(sink, at + share * (length - 0.03), { from: about(from + (to - from) * share, 0.15), q: 5, peak: peak * (0.3 + loud), length: 0.024 });
  }
}

/** The steel under the dome snaps over, and the dome rings with it. */
function snap(sink, at, pitch, peak) {
  struck(sink, at, [[pitch * 3.1, peak * 0.5, 0.022], [pitch * 1.9, peak * 0.6, 0.035], [pitch, peak, 0.07], [pitch * 0.42, peak * 0.75, 0.1]],
    { click: peak * 1.1, bright: pitch * 3.6 });
}

/** The die against the dome. */
function rattle(sink, at, peak) {
  const pitch = about(1500, 0.18);
  struck(sink, at, [[pitch, peak * 0.6, 0.03], [pitch * 2.3, peak * 0.5, 0.018], [pitch * 0.45, peak * 0.5, 0.035]], { click: peak, bright: pitch * 3 });
}

function dome(sink, at) {
  const pitch = about(760);
  snap(sink, at, pitch * 1.25, 0.23);
  const released = at + about(0.085, 0.06);
  snap(sink, released, pitch, 0.29);
  tone(sink, released, { from: 160, to: 110, peak: 0.22, length: 0.1 });
  let bounce = released + 0.045;
  let gap = 0.052;
  for (let left = 6; left > 0; left--) {
    rattle(sink, bounce, 0.05 + 0.03 * left);
    bounce += about(gap, 0.25);
    gap *= 0.82;
  }
}

function plop(sink, at) {
  tone(sink, at, { from: 190, to: 90, peak: 0.28, length: 0.09 });
  tone(sink, at + 0.045, { from: 260, to: 820, bend: 0.085, peak: 0.42, length: 0.13, rise: 0.012 });
  tone(sink, at + 0.15, { from: 420, to: 1050, bend: 0.06, peak: 0.14, length: 0.09, rise: 0.008 });
}

function crunch(sink, at) {
  tone(sink, at, { from: 170, to: 70, peak: 0.4, length: 0.12 });
  for (const bite of [0, 0.085, 0.15]) {
    hiss(sink, at + bite, { from: 1500, to: 600, peak: 0.4, length: 0.06, q: 0.9 });
    for (let i = 0; i < 5; i++) {
      hiss(sink, at + bite + Math.random() * 0.06, { from: 900 + 2600 * Math.random(), q: 3, peak: 0.5, length: 0.014 });
    }
  }
}

function fizz(sink, at) {
  tone(sink, at, { from: 300, to: 90, peak: 0.25, length: 0.07 });
  hiss(sink, at, { from: 3200, to: 7600, peak: 0.26, length: 0.37, rise: 0.03, q: 0.7 });
  for (let i = 0; i < 16; i++) {
    const share = Math.random();
    hiss(sink, at + 0.02 + share * 0.32, { from: 4000 + 4500 * Math.random(), q: 6, peak: 0.5 * (1 - 0.7 * share), length: 0.012 });
  }
}

/** By their names in the protocol. */
const RECIPES = {
  step: (sink, at) => wood(sink, at, about(980, 0.05), 0.3, 0.055),
  pass: (sink, at) => {
    hiss(sink, at, { from: 500, to: 1900, q: 1.3, peak: 0.65, length: 0.28, rise: 0.13, even: true });
    hiss(sink, at + 0.02, { from: 1400, to: 3600, q: 1, peak: 0.2, length: 0.24, rise: 0.12, even: true });
  },
  kick: (sink, at) => {
    tone(sink, at, { from: 190, to: 58, bend: 0.11, peak: 0.6, length: 0.2 });
    tone(sink, at, { from: 420, to: 190, peak: 0.2, length: 0.07 });
    hiss(sink, at, { from: 900, to: 300, peak: 0.5, length: 0.035, kind: "lowpass" });
  },
  tackle: (sink, at) => {
    struck(sink, at, [[175, 0.4, 0.12], [290, 0.25, 0.09], [455, 0.16, 0.06]], { click: 0.3, bright: 900 });
    struck(sink, at + 0.06, [[140, 0.3, 0.13], [235, 0.16, 0.08]], { click: 0.14, bright: 600 });
  },
  card: (sink, at) => {
    hiss(sink, at, { from: 1800, to: 4600, q: 0.9, peak: 0.2, length: 0.075, rise: 0.05, even: true });
    hiss(sink, at + 0.075, { from: 3400, to: 1700, q: 0.8, peak: 0.5, length: 0.045 });
    tone(sink, at + 0.075, { from: 420, to: 300, peak: 0.12, length: 0.04 });
  },
  won: (sink, at) => {
    bell(sink, at, 659.3, 0.28, 0.2);
    bell(sink, at + 0.115, 880, 0.32, 0.27);
  },
  lost: (sink, at) => {
    bell(sink, at, 440, 0.3, 0.2);
    bell(sink, at + 0.115, 329.6, 0.32, 0.27);
  },
  push: (sink, at) => {
    slide(sink, at, 420, 760, { peak: 0.45, length: 0.21, rise: 0.15 });
    wood(sink, at + 0.2, 430, 0.36, 0.09);
  },
  pull: (sink, at) => {
    wood(sink, at, 430, 0.3, 0.09);
    slide(sink, at + 0.03, 760, 420, { peak: 0.45, length: 0.23, rise: 0.02 });
  },
  plop,
  dome,
  hop: (sink, at) => {
    tone(sink, at, { from: about(360), to: about(760), bend: 0.045, peak: 0.38, length: 0.075, rise: 0.004 });
    hiss(sink, at, { from: 2600, peak: 0.12, length: 0.012 });
  },
  eat: crunch,
  mine: fizz,
  horn: (sink, at) => {
    horn(sink, at, 220, 0.34, 0.39, 0.05);
    horn(sink, at, 329.6, 0.2, 0.38, 0.07);
  },
  turn: (sink, at) => {
    wood(sink, at, 620, 0.4, 0.1);
    wood(sink, at + 0.135, 830, 0.42, 0.12);
  },
  tick: (sink, at) => wood(sink, at, 1750, 0.16, 0.03),
  refused: (sink, at) => {
    struck(sink, at, [[130, 0.36, 0.1], [245, 0.2, 0.07]]);
    hiss(sink, at, { from: 420, to: 200, peak: 0.4, length: 0.05, kind: "lowpass" });
  },
  try: (sink, at) => {
    horn(sink, at, 392, 0.24, 0.1);
    horn(sink, at + 0.09, 523.3, 0.26, 0.1);
    horn(sink, at + 0.18, 659.3, 0.3, 0.21);
    horn(sink, at + 0.18, 523.3, 0.16, 0.21);
  },
  defeat: (sink, at) => {
    horn(sink, at, 329.6, 0.2, 0.1);
    horn(sink, at + 0.1, 293.7, 0.19, 0.1);
    for (const [pitch, peak] of [[220, 0.22], [130.8, 0.14]]) horn(sink, at + 0.2, pitch, peak, 0.19);
  },
  win: (sink, at) => {
    horn(sink, at, 392, 0.22, 0.085);
    horn(sink, at + 0.075, 523.3, 0.22, 0.085);
    horn(sink, at + 0.15, 659.3, 0.24, 0.085);
    for (const [pitch, peak] of [[784, 0.26], [523.3, 0.16], [659.3, 0.16], [261.6, 0.12]]) horn(sink, at + 0.225, pitch, peak, 0.17);
  },
};

export const NAMES = Object.keys(RECIPES);

/** Puts the sound into a context, to be heard through `out` from `at` on. */
export function voice(name, context, out, at) {
  RECIPES[name]({ context, out }, at);
}
