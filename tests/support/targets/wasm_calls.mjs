// Calls compiled functions in WebAssembly one after another: reads a request as JSON, prints what
// each call came to and what the memory that was asked for holds after it.
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
const named = Object.entries(request.memory);
const places = new Map(named.map(([name, text]) => [name, place(Buffer.from(text, "base64"))]));
const bytes = (at, size) => Buffer.from(memory.buffer.slice(at, at + size)).toString("base64");
const found = request.calls.map(({ symbol, values, reads }) => {
  const given = values.map((value) =>
    typeof value === "number" ? BigInt(value) : places.get(value),
  );
  const status = instance.exports[symbol](room, room + 8, room + 16, ...given);
  const read = reads.map(([name, offset, size]) => bytes(places.get(name) + offset, size));
  return { status, results: bytes(room + 16, 64), read };
});
console.log(JSON.stringify(found));
