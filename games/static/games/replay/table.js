// The table: seats around it, their hands, the piles in the middle.
import { card, colorMark, leadMark } from "./cards.js";
import { clock, make, nameOf, named, say } from "./page.js";

const NARROW = 640;
const MOST_BACKS = 10;

export class Table {
  constructor(root, seats) {
    this.root = root;
    this.middle = make("div", "middle");
    this.list = make("ul", "seats");
    this.seats = Array.from({ length: seats }, () => make("li", "seat"));
    this.list.append(...this.seats);
    root.append(this.middle, this.list);
    this.drawn = [];
    this.bottom = 0;
    new ResizeObserver(() => this.place()).observe(root);
  }

  /** Whoever is looked through sits at the bottom. */
  lookFrom(viewer) {
    this.bottom = /^\d+$/.test(viewer) ? Number(viewer) : 0;
    this.viewer = viewer;
    this.drawn = [];
    this.place();
  }

  place() {
    const narrow = this.root.clientWidth < NARROW, count = this.seats.length;
    this.root.classList.toggle("narrow", narrow);
    this.root.dataset.seats = count;
    this.root.style.setProperty("--rows", Math.floor((count - 1) / 2) + ((count - 1) % 2) + 1);
    this.seats.forEach((seat, number) => {
      const after = (number - this.bottom + count) % count; // clockwise, as seen from above
      const [x, y] = narrow ? inColumns(after, count) : around(after, count);
      seat.style.setProperty("--x", x);
      seat.style.setProperty("--y", y);
      seat.classList.toggle("own", after === 0);
    });
  }

  show(position, version, about) {
    this.seats.forEach((_, seat) => this.showSeat(seat, position, version, about));
    this.showMiddle(position, version);
  }

  showSeat(seat, position, version, about) {
    const hand = position.hands[seat] ?? 0, tags = tagsOf(seat, position), name = nameOf(seat, version);
    const turn = !position.over && position.turn === seat;
    const key = JSON.stringify([name, hand, tags, turn, about === seat]);
    if (this.drawn[seat] === key) return;
    this.drawn[seat] = key;
    const item = this.seats[seat];
    item.classList.toggle("turn", turn);
    item.classList.toggle("about", about === seat);
    item.classList.toggle("gone", position.left.includes(seat));
    const head = make("p", "who");
    const label = named(name);
    label.title = name;
    head.append(label);
    const line = make("p", "tags");
    line.append(...tags.map(([kind, text]) => make("span", `tag ${kind}`, text)));
    item.replaceChildren(head, line, fan(hand));
  }

  showMiddle(position, version) {
    const key = JSON.stringify([position.draw, position.top, position.pile, position.lead, position.owe, position.direction,
      position.taki, position.run, position.plus3, this.viewer]);
    if (this.drawn.middle === key) return;
    this.drawn.middle = key;
    const piles = make("div", "piles");
    piles.append(pile(position.draw ? [card("?", true)] : [], position.draw, "draw"),
      pile(position.top.slice().reverse().map((code, index, all) => card(code, index < all.length - 1)), position.pile, "discards"));
    const line = make("p", "lead");
    if (position.top.length) line.append(leadMark(position.lead, say("any")));
    if (position.owe) line.append(make("b", "chip owe", `+${position.owe}`));
    const taki = position.run ?? position.taki;
    if (taki) line.append(chip("TAKI ", colorMark(taki)));
    if (position.plus3 !== null) line.append(chip("+3 ?"));
    line.setAttribute("aria-hidden", "true"); // the same stands in words below the table
    this.middle.replaceChildren(ring(position.direction), piles, line);
  }
}

// Places are shares of the table: 0, 0 is its upper left corner and the seat's own, 100, 100 the lower right of both.
// Clockwise from oneself at the bottom: up the left side, across the top, down the right side.
const SIDES = [0, 0, 1, 1, 1, 1, 2, 2, 2, 2]; // how many sit on each side, by the number of others
const TOPS = { 1: [50], 2: [30, 70], 3: [12, 50, 88], 4: [2, 34, 66, 98], 5: [0, 25, 50, 75, 100] };

function around(after, count) {
  const others = count - 1, side = SIDES[others], top = others - 2 * side;
  const y = (row) => (side === 1 ? (top ? 55 : 40) : [90, 46][row]);
  if (after === 0) return [50, 100];
  if (after <= side) return [0, y(after - 1)];
  if (after <= side + top) return [TOPS[top][after - side - 1], 0];
  return [100, y(others - after)];
}

function inColumns(after, count) {
  const others = count - 1, side = Math.floor(others / 2), top = others % 2;
  const rows = side + top + 1;
  const y = (row) => (row / (rows - 1)) * 100;
  if (after === 0) return [50, 100];
  if (after <= side) return [0, y(rows - 1 - after)];
  if (top && after === side + 1) return [50, 0];
  return [100, y(top + after - side - top - 1)];
}

function tagsOf(seat, position) {
  const hand = position.hands[seat] ?? 0, count = Array.isArray(hand) ? hand.length : hand;
  const tags = [["count", say("cards", { n: count })]];
  if (position.stages.length) tags.push(["step", say("stage", { n: position.stages[seat] })]);
  if (position.over && position.winner === seat) tags.push(["win", say("winner")]);
  if (!position.over && position.turn === seat) tags.push(["turn", say("turn")]);
  if (position.left.includes(seat)) tags.push(["out", say("left")]);
  if (position.away.includes(seat)) tags.push(["out", say("away")]);
  if (position.last.includes(seat)) tags.push(["warn", say("last")]);
  if (position.answer.includes(seat)) tags.push(["warn", say("asked")]);
  if (position.banks.length) tags.push(["bank", say("bank", { time: clock(position.banks[seat]).slice(0, -4) })]);
  return tags;
}

function fan(hand) {
  const made = make("div", "hand");
  const pictures = Array.isArray(hand) ? hand.map((code) => card(code)) : Array.from({ length: Math.min(hand, MOST_BACKS) }, () => card("?", true));
  made.append(...pictures.map((picture) => { const slot = make("span", "slot"); slot.append(picture); return slot; }));
  return made;
}

function chip(...parts) {
  const made = make("b", "chip");
  made.append(...parts);
  return made;
}

function pile(pictures, count, kind) {
  const made = make("div", `pile ${kind}`);
  const stack = make("div", "stack");
  stack.append(...pictures);
  made.append(stack, make("span", "number", String(count)));
  return made;
}

function ring(direction) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("class", `ring${direction < 0 ? " counter" : ""}`);
  made.setAttribute("viewBox", "0 0 100 100");
  made.setAttribute("aria-hidden", "true");
  for (const d of ["M8 38a44 44 0 0 1 84 0", "M92 62a44 44 0 0 1-84 0", "m95.5 26-3 12.5-11-6.5", "m4.5 74 3-12.5 11 6.5"]) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    made.append(path);
  }
  return made;
}
