// The film: every position as one viewer saw it. Each step says what changed; here the changes are only put together.
import { addresses, versions } from "./page.js";

const films = new Map();

/** The film for a viewer ("all", "spectator", "0" …), fetched once. */
export function filmFor(viewer) {
  if (!films.has(viewer)) {
    const coming = fetchFilm(viewer);
    coming.catch(() => films.delete(viewer));
    films.set(viewer, coming);
  }
  return films.get(viewer);
}

async function fetchFilm(viewer) {
  const answer = await fetch(`${addresses.film}&as=${viewer}`);
  if (!answer.ok) throw new Error(`film: ${answer.status}`);
  const film = await answer.json();
  let before = { hands: {} };
  film.positions = film.steps.map((step) => {
    const hands = step.hands ? { ...before.hands, ...step.hands } : before.hands;
    before = { ...before, ...step, hands };
    return before;
  });
  if (film.positions.length !== versions) throw new Error("film: another length");
  return film;
}

/** The list of moves as a viewer may know them: its lines as HTML of this server. */
export async function movesFor(viewer) {
  const address = new URL(addresses.moves, location.href);
  address.searchParams.set("as", viewer);
  address.searchParams.set("lang", document.documentElement.lang);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`moves: ${answer.status}`);
  return new DOMParser().parseFromString(`<ol>${await answer.text()}</ol>`, "text/html").querySelector("ol");
}
