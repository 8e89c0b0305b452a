// Shortcuts. They never take a key from a field, a button or a browser's own combination, and letters can be switched off.
import { byId, rightToLeft } from "./page.js";

const [ON, BACK] = rightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
const ALWAYS = { [ON]: "on", [BACK]: "back", Home: "first", End: "last", PageDown: "onTurn", PageUp: "backTurn" };
const LETTERS = { a: "all", s: "spectator", w: "onWindow", g: "jump", c: "copy", "+": "faster", "=": "faster", "-": "slower" };

/** The act that a key stands for, or null. */
export function actOf(event) {
  const target = event.target, tag = target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  if (tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && target.type === "number")) return null;
  const slider = tag === "INPUT" && target.type === "range";
  if (ALWAYS[event.key]) return slider ? null : ALWAYS[event.key];
  if (event.key === " ") return ["BUTTON", "INPUT", "SUMMARY", "A"].includes(tag) && !slider ? null : "play";
  if (!byId("letters").checked) return null;
  if (/^\d$/.test(event.key)) return event.key;
  return LETTERS[event.key.toLowerCase()] ?? null;
}
