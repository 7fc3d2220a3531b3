// Makes whole views of messages as a page does. A line on the input is a message to one of several
// pages; the answer is what that page takes it for, and the markup it has then.
import { createInterface } from "node:readline";

const [, , script] = process.argv;
const { ViewPatches } = await import(script);
const pages = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { page, message } = JSON.parse(line);
  if (!pages.has(page)) pages.set(page, new ViewPatches());
  const patches = pages.get(page);
  const taken = patches.take(message);
  const layers = Object.entries(patches.layers).map(([name, parts]) => [name, parts.join("<")]);
  process.stdout.write(`${JSON.stringify({ taken, layers: Object.fromEntries(layers) })}\n`);
}
