// Quick add: a number pad, and entries that are kept on the device until the server has them. The page works without it.
"use strict";
const form = document.getElementById("add");
const amount = document.getElementById("amount");
const entry = document.getElementById("entry");
const note = document.getElementById("note");
const waiting = document.getElementById("waiting");
const result = document.getElementById("result");
const refused = document.getElementById("refused");
// Each person of a shared device has kept lines and a draft of their own.
const KEPT = `hansang-ledger-kept:${form.dataset.person}`;
const DRAFT = `hansang-ledger-draft:${form.dataset.person}`;
const FIELDS = ["amount", "entry", "text", "date"];

// What is kept waits to be sent, or was refused and says why: then a person has to correct it.
const kept = () => JSON.parse(localStorage.getItem(KEPT) || "[]");
const unsent = () => kept().filter((line) => !line.problem);
const keep = (lines) => {
  localStorage.setItem(KEPT, JSON.stringify(lines));
  const count = lines.filter((line) => !line.problem).length;
  waiting.hidden = count === 0;
  waiting.textContent = waiting.dataset.text.replace("{0}", count);
  showRefused(lines.filter((line) => line.problem));
};
const without = (id) => kept().filter((line) => line.id !== id);
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

// An amount as a page shows it.
const won = (text) => {
  const sum = sumOf(text);
  return sum === null ? text : form.dataset.won.replace("{0}", grouped(sum));
};
const part = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
const nameOf = (key) => [...entry.options].find((option) => option.value === key)?.textContent || "";

// The form has what is being typed: a refused line waits below it until a person takes it.
const isTyping = () => amount.value !== "" || form.text.value !== "";
const take = (line) => {
  if (isTyping()) return say(refused.dataset.typing, true);
  keep(without(line.id));
  for (const name of FIELDS) form[name].value = line[name];
  mark();
  draft();
  say(line.problem, true);
  amount.focus();
};
const showRefused = (lines) => {
  refused.hidden = lines.length === 0;
  refused.querySelector("ul").replaceChildren(...lines.map((line) => {
    const item = document.createElement("li");
    const button = (text, action) => {
      const button = part("button", text);
      button.type = "button";
      button.addEventListener("click", action);
      return button;
    };
    const about = [line.date, nameOf(line.entry), line.text].filter(Boolean).join(" ");
    item.append(part("span", about), part("b", won(line.amount)), part("p", line.problem));
    item.append(button(refused.dataset.edit, () => take(line)), button(refused.dataset.remove, () => keep(without(line.id))));
    return item;
  }));
};

// Why the server refused a line. Nothing if it has the line already: it was sent before and the response was lost.
const refusalOf = async (response) => {
  const problem = await response.json().catch(() => ({}));
  if (problem.code === "line_exists") return null;
  const reasons = (problem.violations || problem.errors || []).map((one) => one.problem || one.message || one.detail);
  return reasons.filter(Boolean).join(" ") || problem.detail || String(response.status);
};

// Sends what is kept, oldest first. Returns whether all of it was sent.
const sendKept = async () => {
  let isComplete = true;
  for (let lines = unsent(); lines.length > 0; lines = unsent()) {
    const body = new URLSearchParams({ ...lines[0], csrf: form.csrf.value });
    const response = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
    if (!response || response.status >= 500 || response.status === 429) return false;
    if (response.status === 403 && await renew()) continue;
    if (response.status === 401 || response.status === 403) {
      say(note.dataset.signedOut, true);
      return false;
    }
    const problem = response.ok ? null : await refusalOf(response);
    if (problem === null) keep(without(lines[0].id));
    else {
      keep(kept().map((line) => (line.id === lines[0].id ? { ...line, problem } : line)));
      say(problem, true);
      isComplete = false;
    }
  }
  return isComplete;
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
  keep([...kept(), line]);
  amount.value = "";
  form.text.value = "";
  draft();
  if (await send()) {
    say(note.dataset.saved, false);
    const item = document.createElement("li");
    item.append(part("span", line.date), part("span", nameOf(line.entry)), part("b", won(line.amount)));
    document.getElementById("latest").prepend(item);
  } else if (unsent().length > 0 && (note.hidden || !note.classList.contains("bad"))) say(note.dataset.kept, false);
  // The line that was just entered goes back into the form, unless the next one is being typed.
  const own = kept().find((one) => one.id === line.id && one.problem);
  if (own && !isTyping()) take(own);
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
setInterval(() => { if (unsent().length > 0) send(); }, 15000);
