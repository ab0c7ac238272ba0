// Quick add: a number pad, and entries that are kept on the device until the server has them. The page works without it.
"use strict";
const form = document.getElementById("add");
const amount = document.getElementById("amount");
const entry = document.getElementById("entry");
const note = document.getElementById("note");
const waiting = document.getElementById("waiting");
const result = document.getElementById("result");
const KEPT = "hansang-ledger-kept";

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

// Shows the sum while an expression is typed.
const preview = () => {
  const plain = amount.value.replaceAll(",", "").replaceAll(" ", "");
  const parts = plain.match(/[+-]?\d+/g) || [];
  const sum = /^[+-]?\d+([+-]\d+)+$/.test(plain) ? parts.reduce((total, part) => total + Number(part), 0) : null;
  result.textContent = sum === null ? "" : `= ${sum.toLocaleString("ko-KR")}`;
};
amount.addEventListener("input", preview);

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
  preview();
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
  });
}
entry.addEventListener("change", mark);
mark();

// Sends what is kept, oldest first. Returns whether all of it was sent.
const sendKept = async () => {
  for (let lines = kept(); lines.length > 0; lines = kept()) {
    const body = new URLSearchParams({ ...lines[0], csrf: form.csrf.value });
    const response = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
    if (!response || response.status >= 500 || response.status === 429) return false;
    if (response.status === 401 || response.status === 403) {
      say(note.dataset.signedOut, true);
      return false;
    }
    keep(kept().filter((line) => line.id !== lines[0].id));
    if (!response.ok) {
      // The server refused the line: back into the form, with the reason.
      const problem = await response.json().catch(() => ({}));
      for (const name of ["amount", "entry", "text", "date"]) form[name].value = lines[0][name];
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
  for (const name of ["amount", "entry", "text", "date"]) line[name] = form[name].value;
  keep([...kept(), line]);
  amount.value = "";
  form.text.value = "";
  preview();
  if (await send()) {
    say(note.dataset.saved, false);
    const item = document.createElement("li");
    for (const [tag, text] of [["span", line.date], ["span", entry.selectedOptions[0]?.textContent || ""], ["b", line.amount]]) {
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
setInterval(() => { if (kept().length > 0) send(); }, 15000);
