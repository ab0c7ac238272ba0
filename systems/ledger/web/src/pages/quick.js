// Quick add: a number pad, and entries that are kept on the device until the server has them. The page works without it.
"use strict";
const form = document.getElementById("add");
const amount = document.getElementById("amount");
const entry = document.getElementById("entry");
const note = document.getElementById("note");
const waiting = document.getElementById("waiting");
const result = document.getElementById("result");
// Each person of a shared device has kept lines and a draft of their own.
const KEPT = `hansang-ledger-kept:${form.dataset.person}`;
const DRAFT = `hansang-ledger-draft:${form.dataset.person}`;
const FIELDS = ["amount", "entry", "text", "date"];

const kept = () => JSON.parse(localStorage.getItem(KEPT) || "[]");
const keep = (lines) => {
  localStorage.setItem(KEPT, JSON.stringify(lines));
  waiting.hidden = lines.length === 0;
  waiting.textContent = waiting.dataset.text.replace("{0}", lines.length);
};
const say = (text, bad) => {
  note.textContent = text;
  note.hidden = false;
  note.classList.toggle("bad", bad);
};

// An id of a line: 48 bits of time and 80 random bits in Crockford's alphabet.
const newId = () => {
  const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let time = Date.now();
  let id = "";
  for (let index = 0; index < 10; index += 1) {
    id = letters[time % 32] + id;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += letters[byte % 32];
  return id;
};

// The sum of an expression; null if it is none.
const sumOf = (text) => {
  const plain = text.replace(/[, 원]/g, "");
  const parts = plain.match(/[+-]?\d+/g) || [];
  return /^[+-]?\d+([+-]\d+)*$/.test(plain) ? parts.reduce((total, part) => total + Number(part), 0) : null;
};
const grouped = (number) => number.toLocaleString("ko-KR").replace("-", "−");
// Shows the sum while an expression is typed.
const preview = () => {
  const sum = /\d[+-]/.test(amount.value) ? sumOf(amount.value) : null;
  result.textContent = sum === null ? "" : `= ${grouped(sum)}`;
};

// What is typed survives a reload until it is saved.
const draft = () => {
  preview();
  const typed = amount.value !== "" || form.text.value !== "";
  if (typed) localStorage.setItem(DRAFT, JSON.stringify(FIELDS.map((name) => form[name].value)));
  else localStorage.removeItem(DRAFT);
};
const restore = () => {
  const typed = JSON.parse(localStorage.getItem(DRAFT) || "null");
  if (!typed || amount.value !== "") return;
  FIELDS.forEach((name, index) => { if (typed[index]) form[name].value = typed[index]; });
};
form.addEventListener("input", draft);

// A page that stays open shows yesterday: today is the day in Korea.
let shown = form.date.value;
const refreshDate = () => {
  const today = new Date(Date.now() + 9 * 3600 * 1000).toISOString().slice(0, 10);
  if (form.date.value === shown && shown < today) form.date.value = shown = today;
};
addEventListener("focus", refreshDate);
document.addEventListener("visibilitychange", refreshDate);

const pad = document.getElementById("pad");
pad.hidden = false;
// The pad replaces the keyboard of a phone.
if (matchMedia("(pointer: coarse)").matches) amount.inputMode = "none";
pad.addEventListener("click", (event) => {
  const key = event.target.dataset.key;
  if (!key) return;
  if (key === "C") amount.value = "";
  else if (key === "⌫") amount.value = amount.value.slice(0, -1);
  else amount.value += key;
  draft();
});

const chips = [...document.querySelectorAll("[data-entry]")];
const mark = () => {
  for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.dataset.entry === entry.value));
};
for (const chip of chips) {
  chip.hidden = false;
  chip.addEventListener("click", () => {
    entry.value = chip.dataset.entry;
    mark();
    draft();
  });
}
entry.addEventListener("change", mark);
restore();
refreshDate();
preview();
mark();

// The second secret of a session that began after this page was loaded.
const renew = async () => {
  const response = await fetch(form.action, { cache: "no-store" }).catch(() => null);
  if (!response || !response.ok || response.redirected) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("add");
  if (!page || page.dataset.person !== form.dataset.person || page.csrf.value === form.csrf.value) return false;
  form.csrf.value = page.csrf.value;
  return true;
};

// Sends what is kept, oldest first. Returns whether all of it was sent.
const sendKept = async () => {
  for (let lines = kept(); lines.length > 0; lines = kept()) {
    const body = new URLSearchParams({ ...lines[0], csrf: form.csrf.value });
    const response = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
    if (!response || response.status >= 500 || response.status === 429) return false;
    if (response.status === 403 && await renew()) continue;
    if (response.status === 401 || response.status === 403) {
      say(note.dataset.signedOut, true);
      return false;
    }
    keep(kept().filter((line) => line.id !== lines[0].id));
    if (!response.ok) {
      // The server refused the line: back into the form, with the reason.
      const problem = await response.json().catch(() => ({}));
      for (const name of FIELDS) form[name].value = lines[0][name];
      draft();
      const reasons = (problem.violations || problem.errors || []).map((one) => one.problem || one.message || one.detail);
      say(reasons.filter(Boolean).join(" ") || problem.detail || String(response.status), true);
      return false;
    }
  }
  return true;
};
// One at a time: a second entry on a slow line waits for the first.
let sending = null;
const send = async () => {
  while (sending) await sending;
  sending = sendKept();
  try {
    return await sending;
  } finally {
    sending = null;
  }
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const line = { id: newId() };
  for (const name of FIELDS) line[name] = form[name].value;
  const name = entry.selectedOptions[0]?.textContent;
  keep([...kept(), line]);
  amount.value = "";
  form.text.value = "";
  draft();
  if (await send()) {
    say(note.dataset.saved, false);
    const item = document.createElement("li");
    const sum = sumOf(line.amount);
    const won = sum === null ? line.amount : form.dataset.won.replace("{0}", grouped(sum));
    for (const [tag, text] of [["span", line.date], ["span", name || ""], ["b", won]]) {
      const part = document.createElement(tag);
      part.textContent = text;
      item.append(part);
    }
    document.getElementById("latest").prepend(item);
  } else if (kept().length > 0 && note.hidden) say(note.dataset.kept, false);
  else if (kept().some((one) => one.id === line.id) && !note.classList.contains("bad")) say(note.dataset.kept, false);
  amount.focus();
});

keep(kept());
addEventListener("online", send);
send();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/console/ledger/add-worker.js", { scope: form.getAttribute("action") }).then(async () => {
    // The worker does not see how this page was loaded: keep it now.
    const assets = [...document.querySelectorAll("link[rel=stylesheet], script[src]")].map((one) => one.href || one.src);
    const cache = await caches.open("hansang-ledger-add");
    await Promise.all([form.action, ...assets].map(async (url) => {
      const path = new URL(url).pathname;
      if (!(await cache.match(path))) await cache.add(path);
    }));
  }).catch(() => {});
}
setInterval(() => { if (kept().length > 0) send(); }, 15000);
