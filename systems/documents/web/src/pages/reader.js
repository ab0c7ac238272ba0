// A page of a document: a piece of text and its place on the picture are highlighted together. The arrow keys move through
// the pieces while the text has the focus; with Alt they turn pages.
for (const reader of document.querySelectorAll("[data-reader]")) {
  const texts = [...reader.querySelectorAll("[data-text]")];
  const places = new Map([...reader.querySelectorAll("[data-place]")].map((one) => [one.dataset.place, one]));
  let current = -1;
  const show = (index, into) => {
    texts[current]?.classList.remove("now");
    places.get(String(current))?.classList.remove("now");
    current = index;
    const text = texts[index];
    const place = places.get(String(index));
    text?.classList.add("now");
    place?.classList.add("now");
    if (into === "text") text?.scrollIntoView({ block: "nearest" });
    if (into === "place") place?.scrollIntoView({ block: "nearest" });
  };
  texts.forEach((text, index) => text.addEventListener("pointerenter", () => show(index, null)));
  for (const [index, place] of places) {
    place.addEventListener("pointerenter", () => show(Number(index), "text"));
    place.addEventListener("click", () => show(Number(index), "text"));
  }
  reader.querySelector("[data-texts]")?.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(Math.min(texts.length - 1, Math.max(0, current + step)), "text");
  });
  document.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (!turn || event.target.closest("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
    reader.querySelector(`a[rel=${turn}]`)?.click();
  });
  const hit = texts.findIndex((text) => text.classList.contains("hit"));
  if (hit >= 0) show(hit, "text");
}
