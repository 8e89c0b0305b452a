// What the page says about itself: addresses, words, names. Nothing here knows the rules of the game.
export const root = document.getElementById("replay");
const data = root.dataset;
export const words = JSON.parse(data.words);
export const cardNames = JSON.parse(data.cards);
export const versions = Number(data.versions);
export const addresses = { film: data.film, moves: data.moves, log: data.log };
export const gameId = data.game;
export const firstViewer = data.viewer;
export const rightToLeft = document.documentElement.dir === "rtl";
const sitters = JSON.parse(data.names);
const seats = JSON.parse(data.seats);

export const byId = (id) => document.getElementById(id);

/** The text with its {parts} put in. */
export const say = (key, parts = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);

/** What a seat is called at a version. */
export function nameOf(seat, version) {
  const here = sitters.filter((sitter) => sitter[0] === seat);
  const now = here.filter((sitter) => sitter[1] <= version).pop() ?? here[0];
  return now ? now[2] : seats[seat];
}

/** An element with classes and text. */
export function make(tag, classes = "", text = "") {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text !== "") made.textContent = text;
  return made;
}

/** A name that keeps its own direction. */
export const named = (text) => make("bdi", "", text);

/** "1:02:03.456", without hours for less than one. */
export function clock(ms) {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(ms / 3600000), minutes = Math.floor(ms / 60000) % 60;
  const rest = `${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, "0")}`;
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
