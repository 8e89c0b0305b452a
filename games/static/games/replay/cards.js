// Cards as pictures: a paper, the colour's own shape, the card's sign. Colour is never the only difference.
import { cardNames } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const GLYPHS = { S: "g-S", D: "g-D", "+": "g-P", K: "g-K", X3: "g-X" };
const MIDDLE = { R: 45, G: 50, B: 45, Y: 46, N: 45 }; // where a shape has room for its sign

function part(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

const use = (id, x, y, size, kind) => part("use", { href: `#${id}`, x, y, width: size, height: size, class: kind });

function corner(color, sign) {
  const made = part("g", { class: "corner" });
  if (GLYPHS[sign] && sign !== "X3") made.append(use(GLYPHS[sign], 4.5, 4.5, 14, "sign"));
  else made.append(part("text", { x: 11.5, y: 17.5, class: sign.length > 1 ? "two" : "one" }, sign === "X3" ? "✕3" : sign));
  made.append(use(`s-${color}`, 5.5, 21, 12, "suit"));
  return made;
}

function middle(color, sign) {
  const y = MIDDLE[color];
  if (color === "N" && sign !== "C") {
    const disc = part("g", {});
    disc.append(part("circle", { cx: 30, cy: 45, r: 14.5, class: "disc" }), glyph(sign === "ST" ? "T" : sign, 45, 17));
    return disc;
  }
  return sign === "C" ? part("g", {}) : glyph(sign, y, 20);
}

function glyph(sign, y, size) {
  if (GLYPHS[sign]) return use(GLYPHS[sign], 30 - size / 2, y - size / 2, size, "on");
  const taki = sign === "T";
  return part("text", { x: 30, y: y + (taki ? 3.5 : 7.5), class: `on ${taki ? "taki" : "number"}` }, taki ? "TAKI" : sign);
}

/** The picture of a card by its code; "?" is its back. Named for those who cannot see it unless `silent`. */
export function card(code, silent = false) {
  const color = code === "?" ? "Q" : "RGBY".includes(code[0]) ? code[0] : "N";
  const svg = part("svg", { class: `card ${color}`, viewBox: "0 0 60 90" });
  if (silent) svg.setAttribute("aria-hidden", "true");
  else {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", cardNames[code]);
    svg.append(part("title", {}, cardNames[code]));
  }
  svg.append(part("rect", { x: 1, y: 1, width: 58, height: 88, rx: 8, class: "paper" }));
  if (color === "Q") {
    svg.append(part("rect", { x: 6, y: 6, width: 48, height: 78, rx: 5, class: "frame" }), use("s-N", 17, 32, 26, "suit"));
    return svg;
  }
  const sign = color === "N" ? code : code.slice(1);
  const far = corner(color, sign);
  far.setAttribute("transform", "rotate(180 30 45)");
  svg.append(use(`s-${color}`, 8, 23, 44, "shape"), middle(color, sign), corner(color, sign), far);
  return svg;
}

function mark(kind, sign, name) {
  const made = document.createElement("i");
  made.className = `k ${kind}`;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", name);
  made.title = name;
  made.textContent = sign;
  return made;
}

/** A small sign for a colour, with its name. */
export const colorMark = (letter) => mark(letter, "", cardNames[letter]);

/** A card within a line. */
export function cardMark(code) {
  const colored = "RGBY".includes(code[0]);
  return mark(colored ? code[0] : "N", colored ? code.slice(1) : code, cardNames[code]);
}

/** A lead ("R7", "R", "any") as a mark or a word. */
export function leadMark(lead, any) {
  if (lead === "any") return document.createTextNode(any);
  return lead.length === 1 ? colorMark(lead) : cardMark(lead);
}
