// Every few seconds the parts marked data-live are fetched anew and put in place; what somebody types stays as it is.
(() => {
  const seconds = Number(document.body.dataset.liveSeconds || document.querySelector("[data-live-seconds]")?.dataset.liveSeconds);
  if (!seconds) return;
  let tag = null;
  const quiet = () => document.hidden || document.querySelector("[data-live] details[open], [data-live] input:checked, [data-live] input:focus");
  async function refresh() {
    if (!quiet()) {
      try {
        const answer = await fetch(location.href, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
        if (answer.status === 200 && !answer.redirected) {
          tag = answer.headers.get("ETag");
          const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
          for (const part of document.querySelectorAll("[data-live]")) {
            const other = fresh.getElementById(part.id);
            if (other && other.innerHTML !== part.innerHTML && !quiet()) part.replaceChildren(...other.childNodes);
          }
        }
      } catch { /* the server is away for a moment: the next round asks again */ }
    }
    setTimeout(refresh, seconds * 1000);
  }
  setTimeout(refresh, seconds * 1000);
})();
