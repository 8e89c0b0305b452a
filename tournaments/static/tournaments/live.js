// Every few seconds the parts marked data-live are fetched anew and put in place. A part in which somebody is about to
// press a button stays as it is until that is done.
(() => {
  const seconds = Number(document.querySelector("[data-live-seconds]")?.dataset.liveSeconds);
  if (!seconds) return;
  let tag = null;
  const busy = (part) => part.querySelector("details[open], input:checked, input:focus, select:focus");
  async function refresh() {
    if (!document.hidden) {
      try {
        const answer = await fetch(location.href, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
        if (answer.status === 200 && !answer.redirected) {
          tag = answer.headers.get("ETag");
          const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
          for (const part of document.querySelectorAll("[data-live]")) {
            const other = fresh.getElementById(part.id);
            if (busy(part)) tag = null; // it is asked for again
            else if (other && other.innerHTML !== part.innerHTML) part.replaceChildren(...other.childNodes);
          }
        }
      } catch { /* the server is away for a moment: the next round asks again */ }
    }
    setTimeout(refresh, seconds * 1000);
  }
  setTimeout(refresh, seconds * 1000);
})();
