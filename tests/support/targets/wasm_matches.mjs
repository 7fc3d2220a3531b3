// Plays matches in WebAssembly: reads a request as JSON, prints what became of its memory.
import { readFileSync } from "node:fs";

const request = JSON.parse(readFileSync(0, "utf8"));
const { instance } = await WebAssembly.instantiate(readFileSync(request.wasm), {});
const { memory, __heap_base: heapBase } = instance.exports;
let free = (heapBase.value + 15) & ~15;

/** The address of a copy of these bytes. */
function place(bytes) {
  const at = free;
  free = (free + bytes.length + 15) & ~15;
  const missing = free - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  new Uint8Array(memory.buffer).set(bytes, at);
  return at;
}

const room = place(new Uint8Array(80));
const places = [];
const values = request.values.map((value) => {
  if (typeof value === "string") return BigInt(value);
  places.push([place(Buffer.from(value.bytes, "base64")), value]);
  return places.at(-1)[0];
});
const begun = performance.now();
const status = instance.exports[request.symbol](room, room + 8, room + 16, ...values);
const seconds = (performance.now() - begun) / 1000;
const bytes = (at, size) => Buffer.from(memory.buffer.slice(at, at + size)).toString("base64");
console.log(
  JSON.stringify({
    status,
    seconds,
    results: bytes(room + 16, 64),
    memory: places.map(([at, value]) => bytes(at, Buffer.from(value.bytes, "base64").length)),
  }),
);
