// Parts of pages that follow the processing. The server renders them; at each event the page is read again and the part is
// replaced, at most once a second. Without events the page is read every few seconds while something is being processed.
for (const part of document.querySelectorAll("[data-follow]")) {
  let looking = false;
  let again = false;
  let last = 0;
  let lost = false;
  const offline = () => {
    const notice = part.querySelector("[data-offline]");
    if (notice) notice.hidden = !lost;
  };
  const keep = () => ({
    rows: new Set([...part.querySelectorAll("input[name=row]:checked")].map(({ value }) => value)),
    typed: [...part.querySelectorAll("input[type=search], select, textarea")].map(({ value }) => value),
    focus: [...part.querySelectorAll("a, button, input, select, textarea, [tabindex]")].indexOf(document.activeElement),
  });
  const restore = ({ rows, typed, focus }) => {
    for (const box of part.querySelectorAll("input[name=row]")) box.checked = rows.has(box.value);
    part.querySelectorAll("input[type=search], select, textarea").forEach((field, index) => {
      if (typed[index] !== undefined) field.value = typed[index];
    });
    part.querySelectorAll("a, button, input, select, textarea, [tabindex]")[focus]?.focus({ preventScroll: true });
    document.dispatchEvent(new Event("replaced"));
  };
  const look = async () => {
    again = looking;
    if (looking) return;
    looking = true;
    await new Promise((done) => setTimeout(done, Math.max(0, last + 1000 - Date.now())));
    last = Date.now();
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(part.id);
    lost = !answer;
    // A menu or a field in use is not taken away.
    const busy = part.querySelector("details[open], textarea:focus, input[type=search]:focus, select:focus");
    if (fresh && !busy && fresh.innerHTML !== part.innerHTML) {
      const kept = keep();
      part.replaceChildren(...fresh.childNodes);
      restore(kept);
    }
    if (fresh) part.toggleAttribute("data-active", fresh.hasAttribute("data-active"));
    offline();
    looking = false;
    if (again) look();
  };
  part.addEventListener("documents:changed", look);
  let source;
  if ("EventSource" in window) {
    source = new EventSource(part.dataset.follow);
    source.addEventListener(part.dataset.event, look);
  }
  const timer = setInterval(() => {
    if (part.hasAttribute("data-active") && source?.readyState !== 1) look();
  }, 4000);
  addEventListener("pagehide", () => { source?.close(); clearInterval(timer); });
}
// Filters apply when they are chosen.
document.addEventListener("change", ({ target }) => {
  if (target.matches?.("[data-submit-any]")) target.form.requestSubmit();
});
