// Progressive enhancement of the console: every page works without this script.
"use strict";

// Submits a form once, however often its button is pressed. Irreversible actions have a confirmation page.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
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
    const text = document.getElementById(target.dataset.copy).textContent;
    navigator.clipboard.writeText(text).then(() => { target.textContent = target.dataset.copied; });
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
for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

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
      if (entities && change.operation.includes(".") && !entities.includes(change.operation.split(".")[0])) continue;
      const count = element.querySelector("[data-live-count]");
      if (count) count.textContent = String(Number(count.textContent) + 1);
      const latest = element.querySelector("[data-live-latest]");
      if (latest) latest.textContent = `${change.operation} · ${change.at}`;
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
  const look = async () => {
    again = looking;
    if (looking) return;
    looking = true;
    const response = await fetch(location.href).catch(() => null);
    const text = response?.ok ? await response.text().catch(() => "") : "";
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(part.id);
    if (fresh && fresh.innerHTML !== part.innerHTML) {
      const reachable = () => [...part.querySelectorAll("a, button, [tabindex]")];
      const focused = reachable().indexOf(document.activeElement);
      part.replaceChildren(...fresh.childNodes);
      if (focused >= 0) reachable()[focused]?.focus({ preventScroll: true });
    }
    if (fresh && !fresh.dataset.stream) source.close();
    looking = false;
    if (again) look();
  };
  source.addEventListener(part.dataset.event, look);
  addEventListener("pagehide", () => source.close());
}
