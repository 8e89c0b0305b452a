// The replay: which event is shown, through whose eyes, and whether it plays by itself.
import { showFacts } from "./facts.js";
import { filmFor, movesFor } from "./film.js";
import { Finish } from "./finish.js";
import { actOf } from "./keyboard.js";
import { Moves } from "./moves.js";
import { byId, firstViewer, root, say, versions } from "./page.js";
import { prove } from "./proof.js";
import { Table } from "./table.js";

const BEAT_MS = 1000; // for an event at single speed
const NOTE_MS = 400; // the address is written once the reader rests
const said = byId("said"), slider = byId("slider"), eyes = byId("eyes"), speed = byId("speed");
const finish = new Finish();
let film = null, table = null, version = 1, viewer = firstViewer, ticking = 0, noting = 0, listed = firstViewer, looking = 0;
const moves = new Moves((chosen) => { pause(); go(chosen); });

const limited = (wanted) => Math.min(versions, Math.max(1, wanted || 1));

function go(wanted, quietly = false) {
  version = limited(wanted);
  const position = film.positions[version - 1];
  table.show(position, version, film.who[version - 1]);
  showFacts(film, version);
  finish.show(film, version);
  moves.select(version);
  said.setAttribute("aria-live", quietly ? "off" : "polite");
  said.replaceChildren(...moves.nodes(version));
  slider.value = version;
  slider.setAttribute("aria-valuetext", say("step", { v: version, n: versions }));
  if (document.activeElement !== byId("jump")) byId("jump").value = version;
  clearTimeout(noting);
  noting = setTimeout(() => history.replaceState(null, "", `#v=${version}&as=${viewer}`), NOTE_MS);
}

/** The last event that is shown. */
function end() {
  let at = versions;
  while (at > 1 && moves.quiet(at)) at -= 1;
  return at;
}

/** The next event in a direction that is shown and pleases; the last resort is the end. */
function seek(step, pleases = () => true) {
  for (let at = version + step; at >= 1 && at <= versions; at += step) {
    if (!moves.quiet(at) && pleases(at)) return at;
  }
  return step > 0 ? Math.max(version, end()) : 1;
}

const isTurn = (at) => film.types[at - 1] === "TurnPassed";
const isWindow = (at) => film.types[at - 1] === "WindowOpened";

async function look(wanted) {
  const mine = ++looking;
  try {
    const [other, list] = await Promise.all([filmFor(wanted), wanted === listed ? null : movesFor(wanted)]);
    if (mine !== looking) return; // another seat was chosen meanwhile
    if (list) { moves.replace(list); listed = wanted; }
    [film, viewer] = [other, wanted];
    table ??= new Table(byId("table"), film.seats);
    eyes.value = wanted;
    table.lookFrom(wanted);
    go(version);
  } catch {
    eyes.value = viewer;
    tell("failed");
  }
}

function play() {
  if (ticking) { pause(); return; }
  if (version >= end()) go(1, true);
  root.classList.add("playing");
  label(true);
  beat();
}

function beat() {
  ticking = setTimeout(() => {
    go(seek(1), true);
    if (version >= end()) pause();
    else beat();
  }, BEAT_MS / Number(speed.value));
}

function pause() {
  if (!ticking) return;
  clearTimeout(ticking);
  ticking = 0;
  root.classList.remove("playing");
  label(false);
}

function label(playing) {
  root.querySelector("[data-act=play]").setAttribute("aria-label", say(playing ? "pause" : "play"));
}

function hurry(step) {
  speed.selectedIndex = Math.min(speed.options.length - 1, Math.max(0, speed.selectedIndex + step));
}

async function copy() {
  const link = new URL(`#v=${version}&as=${viewer}`, location.href);
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    tell("copied");
  } catch {
    tell("notCopied");
  }
}

function tell(key) {
  said.setAttribute("aria-live", "polite");
  said.textContent = say(key);
}

async function check() {
  const result = byId("proof");
  if (!globalThis.crypto?.subtle) { result.textContent = say("noProof"); return; }
  try {
    const { events, head } = await prove((n, all) => { result.textContent = say("proving", { n, all }); });
    result.textContent = say("proved", { n: events, head });
    result.className = "good";
  } catch (fault) {
    result.textContent = fault.wrongSeed ? say("wrongSeed") : fault.version ? say("broken", { v: fault.version }) : say("failed");
    result.className = "bad";
  }
}

const step = (wanted) => { pause(); go(wanted()); };
const acts = {
  first: () => step(() => 1),
  last: () => step(end),
  on: () => step(() => seek(1)),
  back: () => step(() => seek(-1)),
  onTurn: () => step(() => seek(1, isTurn)),
  backTurn: () => step(() => seek(-1, isTurn)),
  onWindow: () => step(() => seek(1, isWindow)),
  backWindow: () => step(() => seek(-1, isWindow)),
  play,
  faster: () => hurry(1),
  slower: () => hurry(-1),
  all: () => look("all"),
  spectator: () => look("spectator"),
  jump: () => { byId("jump").focus(); byId("jump").select(); },
  copy,
  prove: check,
};

function act(name) {
  if (!film) return;
  if (acts[name]) acts[name]();
  else if (Number(name) < film.seats) look(name);
}

function asked() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const known = [...eyes.options].some((option) => option.value === hash.get("as"));
  return { version: Number.parseInt(hash.get("v"), 10), viewer: known ? hash.get("as") : viewer };
}

function listen() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button) act(button.dataset.act);
  });
  document.addEventListener("keydown", (event) => {
    const name = actOf(event);
    if (name === null) return;
    event.preventDefault();
    act(name);
  });
  slider.addEventListener("input", () => step(() => Number(slider.value)));
  byId("jump").addEventListener("change", (event) => step(() => event.target.valueAsNumber));
  eyes.addEventListener("change", () => look(eyes.value));
  addEventListener("hashchange", () => { const to = asked(); version = limited(to.version || version); look(to.viewer); });
  for (const link of document.querySelectorAll("a.language")) {
    link.addEventListener("click", () => { link.hash = location.hash; });
  }
}

for (const part of document.querySelectorAll(".scripted")) if (part.id !== "finish") part.hidden = false;
root.classList.add("ready");
tell("loading");
listen();
const wanted = asked();
version = limited(wanted.version);
await look(wanted.viewer);
