// The position in words, below the table.
import { cardMark, colorMark, leadMark } from "./cards.js";
import { byId, clock, nameOf, named, say, versions } from "./page.js";

const put = (id, ...parts) => byId(`f-${id}`).replaceChildren(...parts);

export function showFacts(film, version) {
  const position = film.positions[version - 1], at = film.at[version - 1];
  const who = (seat) => named(nameOf(seat, version));
  put("step", say("step", { v: version, n: versions }));
  put("turn", ...(position.over ? ["–"] : [who(position.turn), ` (${position.turns + 1})`]));
  put("direction", say(position.direction > 0 ? "clockwise" : "counter"));
  put("lead", position.top.length ? leadMark(position.lead, say("any")) : "–");
  put("draw", String(position.draw));
  put("pile", ...(position.top.length ? [String(position.pile), " ", cardMark(position.top[0])] : ["0"]));
  put("owe", position.owe ? `+${position.owe}` : "–");
  put("taki", ...takiParts(position));
  put("again", position.again ? say(position.again) : "–");
  put("window", ...windowParts(position, film.viewer, version));
  put("clock", isolated(clock(at)));
  byId("f-clock").title = new Date(film.started + at).toISOString();
  const left = position.deadline === null ? null : position.deadline - film.started - at;
  put("deadline", left === null ? "–" : isolated(clock(Math.max(0, left))));
}

function takiParts(position) {
  const color = position.run ?? position.taki;
  if (!color) return ["–"];
  return sentence(position.run ? "running" : "open", { color: colorMark(color) });
}

function windowParts(position, viewer, version) {
  if (position.plus3 === null) return ["–"];
  const who = named(nameOf(position.plus3, version));
  return viewer === "all" ? sentence("window", { who, n: String(position.answer.length) }) : sentence("windowHidden", { who });
}

/** The words with elements put in for their {parts}. */
export function sentence(key, parts) {
  return say(key, Object.fromEntries(Object.keys(parts).map((name) => [name, `\0${name}\0`])))
    .split("\0").map((piece, index) => (index % 2 ? parts[piece] : piece));
}

function isolated(text) {
  const made = named(text);
  made.dir = "ltr";
  return made;
}
