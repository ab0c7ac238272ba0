// Progressive enhancement of the console: every page works without this script.
"use strict";

// Submits a form once, however often its button is pressed. Irreversible actions have a confirmation page.
document.addEventListener("submit", (event) => {
  const form = event.target;
  // A download leaves the page as it is.
  if (form.method !== "post" || event.submitter?.hasAttribute("data-download")) return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  const button = event.submitter;
  if (button) button.classList.add("busy");
});
// Resets forms when the browser restores a page from its cache.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll("button.busy")) button.classList.remove("busy");
});

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-copy],[data-toggle],[data-dismiss]");
  if (!target) return;
  if (target.dataset.copy) {
    const source = document.getElementById(target.dataset.copy);
    const label = target.querySelector("span") ?? target;
    // Without HTTPS there is no clipboard, and a browser may refuse it: the selected text can be copied by hand.
    const copied = navigator.clipboard?.writeText(source.textContent) ?? Promise.reject();
    copied.then(() => { label.textContent = target.dataset.copied; }, () => getSelection().selectAllChildren(source));
  } else if (target.dataset.toggle) {
    const row = document.getElementById(target.dataset.toggle);
    row.hidden = !row.hidden;
    target.setAttribute("aria-expanded", String(!row.hidden));
    event.preventDefault();
  } else {
    target.closest(".toast").remove();
    event.preventDefault();
  }
});
for (const button of document.querySelectorAll("[data-copy],[data-step],[data-all],[data-print]")) button.hidden = false;
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
document.documentElement.classList.add("scripted");

// Continues with the form that was submitted with an expired session.
document.querySelector("form[data-resume]")?.requestSubmit();

// Keeps what was typed in this tab, and shows it again after going back, a reload, or a change of language or theme.
const typedKey = () => {
  const here = new URL(location.href);
  here.searchParams.delete("done");
  return `typed:${here.pathname}${here.search}`;
};
const typedFields = () => {
  const seen = {};
  const isTyped = ({ name, type }) => name && !["hidden", "password", "file", "submit", "button"].includes(type);
  return [...document.querySelectorAll("main form[method=post]")]
    .flatMap((form) => [...form.elements].filter(isTyped).map((field) => {
      const key = `${form.getAttribute("action")} ${field.name}`;
      seen[key] = (seen[key] ?? 0) + 1;
      return [`${key} ${seen[key]}`, field];
    }));
};
const typedValue = (field) => (["checkbox", "radio"].includes(field.type) ? field.checked : field.value);
let typedInto = false;
document.addEventListener("input", (event) => { typedInto ||= Boolean(event.target.closest("main form[method=post]")); });
addEventListener("pagehide", () => {
  if (!typedInto) return;
  const values = typedFields().map(([key, field]) => [key, typedValue(field)]);
  try { sessionStorage.setItem(typedKey(), JSON.stringify(values)); } catch { /* The storage is full. */ }
});
document.addEventListener("submit", ({ target }) => {
  const action = target.getAttribute("action");
  if (["/console/language", "/console/theme", "/console/columns"].includes(action)) sessionStorage.setItem("typed", typedKey());
  else if (target.closest("main form[method=post]")) sessionStorage.setItem("sent", typedKey());
  if (action === "/console/sign-out") sessionStorage.clear();
});
{
  // A form that was saved leads to another page, or back with a notice: what was typed in it is old.
  const sent = sessionStorage.getItem("sent");
  if (sent && (sent !== typedKey() || new URL(location.href).searchParams.has("done"))) sessionStorage.removeItem(sent);
  sessionStorage.removeItem("sent");
  const returned = ["back_forward", "reload"].includes(performance.getEntriesByType("navigation")[0]?.type);
  const values = JSON.parse(sessionStorage.getItem(typedKey()) ?? "null");
  if (values && (returned || sessionStorage.getItem("typed") === typedKey())) {
    const stored = new Map(values);
    for (const [key, field] of typedFields()) {
      if (!stored.has(key) || field.readOnly || field.disabled) continue;
      if (typeof stored.get(key) === "boolean") field.checked = stored.get(key); else field.value = stored.get(key);
    }
    typedInto = true;
  }
  sessionStorage.removeItem("typed");
}

// Tells the server the time zone of the browser, for times in pages.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`hansang_zone=${encodeURIComponent(zone)}`)) {
  document.cookie = `hansang_zone=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

// Menus close on Escape, and on a click elsewhere.
const closeMenus = (except) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
};
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = document.activeElement?.closest("details.menu[open]");
    closeMenus(null);
    menu?.querySelector("summary").focus();
  }
  const search = document.getElementById("search");
  if (search && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    search.focus();
    search.select();
    event.preventDefault();
  }
});

// Shows the first card of a linked page in a dialog. A page that cannot be shown is opened.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-dialog]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const response = await fetch(link.href).catch(() => null);
  const text = response?.ok && !response.redirected ? await response.text() : "";
  const page = new DOMParser().parseFromString(text, "text/html");
  const card = page.querySelector("main .card");
  if (!card) return location.assign(link.href);
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", page.querySelector("h1")?.textContent ?? link.textContent);
  dialog.append(card);
  // The way back of the page closes the dialog.
  dialog.addEventListener("click", (inner) => {
    const back = inner.target.closest("a.button");
    if (inner.target !== dialog && !back) return;
    inner.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("close", () => { dialog.remove(); link.focus(); });
  document.body.append(dialog);
  dialog.showModal();
});

// Numbers with buttons, and separators in amounts of money.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-step]");
  const input = button?.parentElement.querySelector("input");
  if (!input) return;
  if (Number(button.dataset.step) > 0) input.stepUp(); else input.stepDown();
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
const separated = (input) => {
  const digits = input.value.replace(/[,\s]/g, "");
  if (/^[-−]?\d+$/.test(digits)) input.value = digits.replace(/\B(?=(\d{3})+$)/g, ",");
};
for (const input of document.querySelectorAll("[data-money]")) {
  separated(input);
  input.addEventListener("blur", () => separated(input));
}
for (const input of document.querySelectorAll("[data-submit]")) {
  input.addEventListener("change", () => input.value && input.form.requestSubmit());
}
for (const input of document.querySelectorAll("input.drop")) {
  for (const name of ["dragover", "dragleave", "drop"]) {
    input.addEventListener(name, () => input.classList.toggle("over", name === "dragover"));
  }
}

// References: looks up records during input, and shows the title of the chosen one.
for (const input of document.querySelectorAll("input[list]")) {
  const list = document.getElementById(input.getAttribute("list"));
  const chosen = document.getElementById(`${input.id}-chosen`);
  const show = () => {
    const option = [...list.options].find(({ value }) => value === input.value);
    if (chosen) chosen.textContent = option ? option.label : "";
  };
  let waiting;
  input.addEventListener("input", () => {
    show();
    if (!input.dataset.search) return;
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const address = new URL(input.dataset.search, location.href);
      address.searchParams.set("q", input.value);
      const response = await fetch(address, { headers: { accept: "application/json" } }).catch(() => null);
      if (!response?.ok) return;
      const found = await response.json();
      list.replaceChildren(...found.map(({ value, label }) => new Option(label, value)));
      show();
    }, 200);
  });
}

// Charts: shows the figures under the pointer or the finger, which a tooltip of the browser does late or never.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
for (const name of ["pointermove", "pointerdown"]) {
  document.addEventListener(name, (event) => {
    const title = event.target.closest?.(".chart *, .chart-spark *")?.querySelector(":scope > title");
    tip.hidden = !title;
    if (!title) return;
    tip.textContent = title.textContent;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 12, innerWidth - width - 8))}px`;
    tip.style.top = `${Math.max(8, event.clientY - height - 12)}px`;
  });
}

// Tables: arrow keys move between rows, and the actions of a selection appear with it.
document.addEventListener("keydown", (event) => {
  const row = event.target.closest?.("table[data-keys] tbody tr");
  if (!row || event.target.matches("input[type=text], select, textarea")) return;
  const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling,
    Home: row.parentElement.firstElementChild, End: row.parentElement.lastElementChild }[event.key];
  if (!next) return;
  const [box, link] = [next.querySelector("input"), next.querySelector("a")];
  (event.target.matches("input") ? box : link ?? box)?.focus();
  event.preventDefault();
});
// The bar with the number of selected rows. Parts of a page may be replaced, so nothing of them is kept here.
const showSelected = (form) => {
  const bar = form.querySelector("[data-bulk]");
  if (!bar) return;
  const boxes = [...form.querySelectorAll("input[name=row]")];
  const all = form.querySelector("[data-all]");
  const label = bar.querySelector("[data-count]");
  const count = boxes.filter((box) => box.checked).length;
  bar.hidden = count === 0;
  label.textContent = label.dataset.text.replace("{0}", count);
  all.hidden = false;
  all.checked = count === boxes.length;
  all.indeterminate = count > 0 && count < boxes.length;
};
const showAllSelected = () => {
  for (const bar of document.querySelectorAll("[data-bulk]")) showSelected(bar.closest("form"));
};
document.addEventListener("change", ({ target }) => {
  const form = target.closest?.("form");
  if (!form) return;
  if (target.matches("[data-all]")) {
    for (const box of form.querySelectorAll("input[name=row]")) box.checked = target.checked;
  }
  showSelected(form);
});
addEventListener("pageshow", showAllSelected);
document.addEventListener("replaced", showAllSelected);
showAllSelected();

// Sheets of amounts: Enter and the arrow keys go to the next field. Enter in the last one saves.
for (const sheet of document.querySelectorAll("form[data-sheet]")) {
  const fields = [...sheet.querySelectorAll("input.amount:not([readonly])")];
  sheet.addEventListener("keydown", (event) => {
    const place = fields.indexOf(event.target);
    const step = { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = fields[place + step];
    if (place < 0 || !next || event.isComposing) return;
    event.preventDefault();
    next.focus();
    next.select();
  });
}

// On a phone the tabs are wider than the screen.
const tab = document.querySelector(".tabs [aria-current]");
if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 48;

// Removes the notice from the address, so that a reload does not show it again.
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

// Shows the text of a selected file before it is submitted.
for (const input of document.querySelectorAll("input[type=file][data-into]")) {
  input.hidden = false;
  input.addEventListener("change", async () => {
    const file = input.files[0];
    if (file) document.getElementById(input.dataset.into).value = await file.text();
  });
}

// Filters the rows on the page during input.
for (const input of document.querySelectorAll("input[data-filter]")) {
  const rows = document.querySelectorAll(input.dataset.filter);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const row of rows) row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
  });
}

// Live parts: the server sends changes, and the elements that concern them are updated.
const live = document.querySelectorAll("[data-live]");
if (live.length > 0 && "EventSource" in window) {
  const systems = new Set([...live].map((element) => element.dataset.live));
  const source = new EventSource("/console/live");
  source.addEventListener("open", () => document.body.classList.add("live"));
  source.addEventListener("change", (event) => {
    const change = JSON.parse(event.data);
    if (!systems.has(change.system) && !systems.has("*")) return;
    for (const element of live) {
      if (element.dataset.live !== "*" && element.dataset.live !== change.system) continue;
      const entities = element.dataset.entities?.split(" ");
      if (entities && change.entities && !change.entities.some((entity) => entities.includes(entity))) continue;
      const count = element.querySelector("[data-live-count]");
      if (count) count.textContent = String(Number(count.textContent) + 1);
      const latest = element.querySelector("[data-live-latest]");
      if (latest) latest.textContent = change.text;
      element.hidden = false;
    }
  });
  addEventListener("pagehide", () => source.close());
}

// Countdowns use the server's clock, not that of the device. When an event opens, its button is enabled without
// a request: otherwise all open pages would send one in the same second.
const counted = [...document.querySelectorAll("[data-until]")].map((element) => (
  { element, until: Number(element.dataset.until) - Number(element.dataset.now) + Date.now() }
));
const count = () => {
  for (const one of counted.filter(({ over }) => !over)) {
    const left = Math.max(0, Math.floor((one.until - Date.now()) / 1000));
    const two = (number) => String(number).padStart(2, "0");
    const [days, hours, minutes] = [Math.floor(left / 86400), Math.floor(left / 3600) % 24, Math.floor(left / 60) % 60];
    const text = `${two(hours)}:${two(minutes)}:${two(left % 60)}`;
    one.element.textContent = days > 0 ? `${days}${one.element.dataset.days} ${text}` : text;
    if (Date.now() < one.until) continue;
    one.over = true;
    const button = document.getElementById(one.element.dataset.enables);
    if (button) button.disabled = false;
    one.element.parentElement.textContent = one.element.dataset.over;
  }
};
if (counted.length > 0) setInterval(count, 250);

// Parts that follow a stream: at each event, the page is fetched again, and the part is replaced if it has changed.
// The focused element inside of it keeps the focus.
for (const part of document.querySelectorAll("[data-stream]")) {
  if (!("EventSource" in window)) break;
  const source = new EventSource(part.dataset.stream);
  let looking = false;
  let again = false;
  let shown = part.innerHTML;
  const look = async () => {
    again = looking;
    if (looking) return;
    looking = true;
    const response = await fetch(location.href).catch(() => null);
    const text = response?.ok ? await response.text().catch(() => "") : "";
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(part.id);
    if (fresh && fresh.innerHTML !== shown) {
      shown = fresh.innerHTML;
      const reachable = () => [...part.querySelectorAll("a, button, [tabindex]")];
      const focused = reachable().indexOf(document.activeElement);
      const opened = [...part.querySelectorAll("details")].map(({ open }) => open);
      part.replaceChildren(...fresh.childNodes);
      for (const [place, box] of [...part.querySelectorAll("details")].entries()) box.open ||= Boolean(opened[place]);
      if (focused >= 0) reachable()[focused]?.focus({ preventScroll: true });
    }
    if (fresh && !fresh.dataset.stream) source.close();
    looking = false;
    if (again) look();
  };
  source.addEventListener(part.dataset.event, look);
  // Says when the part has not followed for some seconds. The browser connects again by itself.
  let lost;
  const tell = (offline) => {
    const notice = part.querySelector("[data-offline]");
    if (notice) notice.hidden = !offline;
  };
  source.addEventListener("error", () => { lost ??= setTimeout(tell, 4000, true); });
  source.addEventListener("open", () => {
    clearTimeout(lost);
    lost = undefined;
    tell(false);
  });
  addEventListener("pagehide", () => source.close());
}
