// The proof in the reader's own browser: the seed against its commitment, and every hash of the chain (docs/audit.md).
import { addresses, gameId } from "./page.js";

const ascii = new TextEncoder();
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const joined = (...parts) => {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { made.set(part, at); at += part.length; }
  return made;
};
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** The one spelling of a value: keys sorted, no spaces, ASCII. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object") return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Check the whole log. Returns {events, head}; throws {wrongSeed: true} or {version} of the first event that does not fit. */
export async function prove(progress) {
  const answer = await fetch(addresses.log);
  if (!answer.ok) throw new Error(`log: ${answer.status}`);
  const events = (await answer.text()).trim().split("\n").map((line) => JSON.parse(line));
  const seed = bytesOf(events.at(-1).data.server_seed ?? "");
  const committed = events[1]?.data.commitment;
  if (hex(await sha256(joined(ascii.encode("taki/1/commit"), seed))) !== committed) throw { wrongSeed: true };
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let head = await sha256(ascii.encode(`taki/1/game/${gameId}`));
  for (const [place, event] of events.entries()) {
    const { version, type, schema, data, actor, at } = event;
    const salt = new Uint8Array(await crypto.subtle.sign("HMAC", key, ascii.encode(`taki/1/salt/${version}`)));
    const inner = await sha256(joined(salt, ascii.encode(canonical({ version, type, schema, data, actor, at }))));
    head = await sha256(joined(head, inner));
    if (version !== place + 1 || hex(head) !== event.hash) throw { version: place + 1 };
    if (place % 100 === 0) progress(place + 1, events.length);
  }
  return { events: events.length, head: hex(head) };
}
