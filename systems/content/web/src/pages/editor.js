// The editor of a post: toolbar, shortcuts, live preview, automatic saving, pictures, and other editors.
const form = document.getElementById("editor");
const area = form.elements.contents;
const preview = document.getElementById("preview");
const saved = document.querySelector("[data-saved]");
const csrf = form.elements.csrf.value;

const send = (address, fields) => fetch(address, {
  method: "POST",
  headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({ csrf, ...fields }),
});
const tell = (state) => { saved.textContent = saved.dataset[`text${state}`] ?? ""; };

// The preview follows the text.
let previewing;
const refresh = async () => {
  const { contents, format } = form.elements;
  const answer = await send(form.dataset.preview, { contents: contents.value, format: format.value }).catch(() => null);
  if (answer?.ok) preview.innerHTML = await answer.text();
};
const previewSoon = () => {
  clearTimeout(previewing);
  previewing = setTimeout(refresh, 300);
};

// Drafts are saved by themselves, one request at a time. After a change elsewhere nothing more is saved by itself: the form
// shows both versions.
let paused = "paused" in form.dataset || area.readOnly;
let saving = null;
let changed = false;
let waiting;
const names = ["title", "contents", "format", "slug", "thumbnailUrl", "revision"];
const save = () => {
  if (!paused && !saving && changed) saving = saveNow().finally(() => { saving = null; if (changed && !paused) later(); });
};
const saveNow = async () => {
  changed = false;
  tell("Saving");
  const fields = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
  const answer = await send(form.dataset.autosave, fields).catch(() => null);
  if (answer?.ok) {
    form.elements.revision.value = (await answer.json()).revision;
    for (const name of names.slice(0, 5)) form.elements[`base.${name}`].value = fields[name];
    tell("Saved");
  } else if (answer?.status === 412) {
    paused = true;
    tell("Changed");
  } else {
    changed = true;
    tell(answer ? "Failed" : "Offline");
  }
};
const later = () => {
  clearTimeout(waiting);
  waiting = setTimeout(save, 3000);
};
form.addEventListener("input", ({ target }) => {
  if (target.name === "contents" || target.name === "format") previewSoon();
  if (names.includes(target.name)) {
    changed = true;
    later();
  }
});
// The page may be left before the next save.
addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") save(); });
// What is typed in the last seconds, or while nothing is saved by itself, would be lost with the page: the browser asks.
let leaving = false;
const line = (name, value) => (name === "contents" ? value : value.replace(/[\r\n]/g, ""));
const unsaved = () => names.slice(0, 5).some((name) => {
  const { [name]: field, [`base.${name}`]: base } = form.elements;
  return line(name, field.value) !== line(name, base.value);
});
addEventListener("beforeunload", (event) => {
  if (!leaving && !area.readOnly && unsaved()) event.preventDefault();
});
// What was typed is kept over a change of language or theme.
document.addEventListener("submit", ({ target }) => {
  leaving ||= target !== form && ["/console/language", "/console/theme"].includes(target.getAttribute("action"));
});
addEventListener("pageshow", () => { leaving = false; });
// A save that is under way gives the form its revision first; without it the form would be refused as stale.
form.addEventListener("submit", (event) => {
  paused = true;
  clearTimeout(waiting);
  leaving = !saving;
  if (!saving) return;
  event.preventDefault();
  const { submitter } = event;
  saving.finally(() => form.requestSubmit(submitter));
});

// Marks around or before the selected text, as one step of the browser's undo.
const replace = (text, from, to) => {
  area.focus();
  area.setRangeText(text, from, to, "end");
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
};
const insert = (text) => {
  area.focus();
  if (!document.execCommand("insertText", false, text)) replace(text, area.selectionStart, area.selectionEnd);
};
const around = (mark) => {
  const { selectionStart: from, selectionEnd: to, value } = area;
  insert(`${mark}${value.slice(from, to)}${mark}`);
  area.setSelectionRange(from + mark.length, to + mark.length);
};
const before = (mark) => {
  const { selectionStart, selectionEnd, value } = area;
  const from = value.lastIndexOf("\n", selectionStart - 1) + 1;
  area.setSelectionRange(from, selectionEnd);
  insert(value.slice(from, selectionEnd).split("\n").map((line) => `${mark}${line}`).join("\n"));
};
const marks = {
  h2: () => before("## "),
  bold: () => around("**"),
  italic: () => around("*"),
  list: () => before("- "),
  task: () => before("- [ ] "),
  quote: () => before("> "),
  code: () => (area.value.slice(area.selectionStart, area.selectionEnd).includes("\n") ? around("\n```\n") : around("`")),
  link: () => {
    const { selectionStart: from, selectionEnd: to, value } = area;
    const text = value.slice(from, to);
    insert(`[${text}](https://)`);
    const start = from + text.length + 3;
    area.setSelectionRange(start, start + 8);
  },
};
const toolbar = form.querySelector(".toolbar");
toolbar.hidden = area.readOnly;
// Only Markdown has marks.
const isMarkdown = () => form.elements.format.value === "markdown";
const showMarks = () => {
  for (const mark of toolbar.querySelectorAll("[data-mark], label")) mark.hidden = !isMarkdown();
};
form.elements.format.addEventListener("change", showMarks);
showMarks();
toolbar.addEventListener("click", ({ target }) => marks[target.closest("[data-mark]")?.dataset.mark]?.());
area.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return;
  const mark = { b: "bold", i: "italic", k: "link" }[event.key.toLowerCase()];
  if (mark && isMarkdown()) {
    event.preventDefault();
    event.stopPropagation();
    marks[mark]();
  }
});
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    form.querySelector("button[value=save]")?.click();
  }
});

// The preview can be put away; the choice is remembered.
const toggle = form.querySelector("[data-toggle-preview]");
const showPreview = (shown) => {
  toggle.setAttribute("aria-pressed", shown);
  preview.hidden = !shown;
  localStorage.setItem("content-preview", shown);
};
toggle.addEventListener("click", () => showPreview(preview.hidden));
if (localStorage.getItem("content-preview") === "false") showPreview(false);

// Pictures that are chosen, pasted or dropped are uploaded and inserted.
const upload = async (file) => {
  const name = file.name || "image.png";
  const mark = `![${name}…]()`;
  insert(mark);
  const body = new FormData();
  body.append("csrf", csrf);
  body.append("file", file, name);
  const headers = { accept: "application/json" };
  const answer = await fetch(form.dataset.upload, { method: "POST", headers, body }).catch(() => null);
  const result = await answer?.json().catch(() => null);
  const at = area.value.indexOf(mark);
  const text = answer?.ok ? `![${result.alt}](${result.url})` : "";
  if (at >= 0) replace(text, at, at + mark.length);
  if (!answer?.ok) saved.textContent = result?.detail ?? saved.dataset.textOffline;
};
const pictures = (list) => [...(list ?? [])].filter((file) => file.type.startsWith("image/"));
const take = (event, files) => {
  if (area.readOnly || !isMarkdown() || files.length === 0) return;
  event.preventDefault();
  files.forEach(upload);
};
area.addEventListener("paste", (event) => take(event, pictures(event.clipboardData?.files)));
area.addEventListener("drop", (event) => take(event, pictures(event.dataTransfer?.files)));
form.querySelector("[data-image]").addEventListener("change", ({ target }) => {
  pictures(target.files).forEach(upload);
  target.value = "";
});

// Tells the server that the post is open here, and shows who else has it open.
const others = document.querySelector("[data-others]");
const here = async () => {
  const answer = await send(form.dataset.here, {}).catch(() => null);
  if (!answer?.ok) return;
  const { others: people } = await answer.json();
  others.querySelector("b").textContent = people.join(", ");
  others.hidden = people.length === 0;
};
if (!area.readOnly) {
  here();
  setInterval(here, 15_000);
}
