// The list of moves: one line is the present one; the arrow keys go through the lines like everywhere on the page.
import { byId, root } from "./page.js";

export class Moves {
  constructor(choose) {
    this.list = byId("moves");
    this.list.addEventListener("click", (event) => {
      const line = event.target.closest("li");
      if (!line || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(versionOf(line));
    });
    byId("notable").addEventListener("change", (event) => choose(Number(event.target.value)));
    byId("quiet").addEventListener("change", (event) => root.classList.toggle("with-quiet", event.target.checked));
    this.read();
  }

  read() {
    this.lines = [...this.list.children];
    for (const link of this.list.querySelectorAll("a")) link.tabIndex = -1;
    this.now = null;
    const notable = this.lines.filter((line, place) => place === 0 || line.classList.contains("big"));
    byId("notable").replaceChildren(...notable.map((line) => new Option(`${versionOf(line)} · ${spoken(line.firstElementChild)}`, versionOf(line))));
  }

  /** Other lines, as another viewer knows them. */
  replace(other) {
    this.list.replaceChildren(...other.children);
    this.read();
  }

  quiet(version) {
    return this.lines[version - 1].classList.contains("quiet") && !byId("quiet").checked;
  }

  select(version) {
    this.now?.removeAttribute("aria-current");
    const focused = this.list.contains(document.activeElement) && document.activeElement !== this.list;
    if (this.now) this.now.firstElementChild.tabIndex = -1;
    this.now = this.lines[version - 1];
    this.now.setAttribute("aria-current", "step");
    const passed = [...byId("notable").options].filter((option) => Number(option.value) <= version);
    byId("notable").value = passed.at(-1)?.value ?? "1";
    const link = this.now.firstElementChild;
    link.tabIndex = 0;
    if (focused) link.focus({ preventScroll: true });
    const { offsetTop, offsetHeight } = this.now, { scrollTop, clientHeight } = this.list;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.list.scrollTop = offsetTop - clientHeight / 2;
    }
  }

  /** The line's nodes, to be said and shown elsewhere. */
  nodes(version) {
    return [...this.lines[version - 1].firstElementChild.cloneNode(true).childNodes];
  }
}

const versionOf = (line) => Number(line.id.slice(2));

/** The words of a line, its marks by their names. */
function spoken(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  return node.getAttribute("aria-label") ?? [...node.childNodes].map(spoken).join("");
}
