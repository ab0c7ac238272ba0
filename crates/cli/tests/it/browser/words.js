// Fetches pages and finds texts in them that are not Korean and not data. Returns the findings and the links.
// `data` is the text of all records and models, in lower case; `names` are the words that every language has.
const [paths, data, names, done] = arguments;
const hidden = "script, style, code, pre, kbd, samp, textarea, [lang=en], [translate=no]";
const labels = "h1, h2, h3, legend, label, dt, th[scope=col], button, summary, nav a, .tabs a, .button";
const isKnown = (text) => {
  const words = text.split(/[^A-Za-z'’]+/).filter(Boolean);
  return words.every((word) => names.includes(word)) || data.includes(text.toLowerCase());
};
const textsOf = (page) => {
  const texts = [];
  const walker = page.createTreeWalker(page.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, data: text } = walker.currentNode;
    if (element && !element.closest(hidden)) texts.push([text.trim(), Boolean(element.closest(labels))]);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    for (const element of page.querySelectorAll(`[${name}]`)) {
      if (!element.closest(hidden)) texts.push([element.getAttribute(name), false]);
    }
  }
  return texts;
};
const look = async (path) => {
  const response = await fetch(path, { headers: { accept: "text/html" } });
  if (!response.headers.get("content-type")?.includes("text/html")) return { path, found: [], links: [] };
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const found = [];
  for (const [text, isLabel] of textsOf(page)) {
    if (text.includes("`")) found.push(text);
    const runs = [...text.matchAll(/[A-Za-z][A-Za-z'’]*(?:[ ,:;-]+[A-Za-z][A-Za-z'’]*)*/g)].map(([run]) => run);
    const sentence = runs.find((run) => /[A-Za-z] +[A-Za-z]/.test(run) && !isKnown(run));
    const label = isLabel && !/[가-힣]/.test(text) && runs.length > 0 && !isKnown(text);
    if (sentence || label) found.push(text);
  }
  const links = [...page.querySelectorAll("a[href]")].map((link) => new URL(link.getAttribute("href"), new URL(path, location.href)))
    .filter((link) => link.origin === location.origin).map(({ pathname, search }) => pathname + search);
  return { path, found: [...new Set(found)], links };
};
(async () => {
  const looked = [];
  for (const path of paths) looked.push(await look(path));
  done(looked);
})();
