// The photo-finish of a +3: who answered when, to the millisecond.
import { byId, make, nameOf, named, say } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const KINDS = { accept: "accept", breaker: "breaker", king: "kingAnswer", left: "leftAnswer", late: "late", spared: "spared" };
const OUTCOMES = { accepted: "accepted", timeout: "timeout", breaker: "outBreaker", king: "outKing", cancelled: "cancelled" };

export class Finish {
  show(film, version) {
    byId("finish").hidden = film.finishes.length === 0;
    const here = film.finishes.find((one) => one.open <= version && version <= one.close);
    const latest = here ?? film.finishes.filter((one) => one.open <= version).pop() ?? film.finishes[0];
    if (!latest || (latest === this.shown && film === this.film)) return;
    [this.shown, this.film] = [latest, film];
    byId("finish-body").replaceChildren(title(latest), lanes(latest));
  }
}

const seconds = (ms) => say("seconds", { s: (ms / 1000).toFixed(3) });

function title(one) {
  const text = say("opened", { who: nameOf(one.seat, one.open), v: one.open, outcome: say(OUTCOMES[one.outcome]), time: seconds(one.ms) });
  return make("p", "soft", text);
}

function lanes(one) {
  const table = make("table", "lanes"), body = make("tbody"), longest = Math.max(1, one.ms, ...one.answers.map((answer) => answer.ms ?? 0));
  one.answers.forEach((answer, place) => {
    const row = make("tr", answer.kind);
    const who = answer.seat < 0 ? say("somebody") : nameOf(answer.seat, one.open);
    const name = make("th");
    name.scope = "row";
    name.append(named(who), answer.bot ? ` (${say("bot")})` : "");
    const bar = make("td", "lane"), time = make("td", "time", answer.ms === undefined ? "–" : seconds(answer.ms));
    bar.append(lane(answer.ms === undefined ? null : answer.ms / longest));
    row.append(make("td", "place", answer.ms === undefined ? "" : String(place + 1)), name, make("td", "kind", say(KINDS[answer.kind])), bar, time);
    body.append(row);
  });
  table.append(body);
  return table;
}

function lane(share) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 200 12");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", "M4 6h192");
  svg.append(line);
  if (share !== null) {
    const dot = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x: 2 + share * 190, y: 0, width: 4, height: 12 })) dot.setAttribute(name, value);
    svg.append(dot);
  }
  return svg;
}
