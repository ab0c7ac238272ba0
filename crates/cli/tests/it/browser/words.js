// Fetches pages and finds texts in them that are not Korean and not data. Returns the findings and the links.
// A page is fetched by its `path`: with the session of the browser or, if there is a `token`, with that alone; an empty one
// is nobody. With a `form`, the page gets it. Without a path, the page that is open is read.
// `data` is the text of all records and models, in lower case; `names` are the words that every language has.
const [pages, data, names, done] = arguments;
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
const csrf = document.querySelector("input[name=csrf]")?.value;
const load = ({ path, form, token }) => {
  const headers = { accept: "text/html" };
  if (token) headers.authorization = `Bearer ${token}`;
  const options = { headers, credentials: typeof token === "string" ? "omit" : "same-origin" };
  if (typeof form === "string") Object.assign(options, { method: "POST", body: new URLSearchParams(`${form}&csrf=${csrf}`) });
  return fetch(path, options);
};
const look = async (asked) => {
  const path = asked.path ?? location.pathname;
  const response = asked.path ? await load(asked) : null;
  const status = response?.status ?? 200;
  if (response && !response.headers.get("content-type")?.includes("text/html")) return { path, status, found: [], links: [] };
  const page = response ? new DOMParser().parseFromString(await response.text(), "text/html") : document;
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
  return { path, status, found: [...new Set(found)], links };
};
(async () => {
  const looked = [];
  for (const page of pages) looked.push(await look(page));
  done(looked);
})();
