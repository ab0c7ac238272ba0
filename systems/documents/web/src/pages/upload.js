// Uploads: files are dropped or chosen, wait in a queue, and are sent in parts, two files at a time. An upload that was
// interrupted goes on where it stopped: after a retry, and after a reload when the same file is chosen again. A card with
// `data-begin` takes one file, as a new version of a document.
const setUpUploads = (card) => {
  const PART = 4 * 1024 * 1024;
  const AT_ONCE = 2;
  const { api, csrf, max, begin: ofDocument } = card.dataset;
  const text = (name) => card.dataset[`text${name}`];
  const list = card.querySelector("[data-queue]");
  const announce = card.querySelector("[data-announce]");
  const input = card.querySelector("input[type=file]");
  const queue = [];
  const shelf = `uploads:${api}${ofDocument ?? ""}`;
  const kept = () => { try { return JSON.parse(localStorage.getItem(shelf) ?? "{}"); } catch { return {}; } };
  const keep = (key, value) => {
    const all = kept();
    if (value) all[key] = value; else delete all[key];
    try { localStorage.setItem(shelf, JSON.stringify(all)); } catch { /* The storage is full. */ }
  };
  if (!ofDocument) {
    input.multiple = true;
    input.required = false;
  }

  const call = async (method, address, body, headers = {}, signal = undefined) => {
    const answer = await fetch(`${api}${address}`, {
      method, signal,
      headers: { "x-csrf-token": csrf, accept: "application/json", ...headers },
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
    });
    const json = await answer.json().catch(() => ({}));
    if (answer.ok) return json;
    const said = json.errors?.[0]?.message ?? json.violations?.[0]?.problem ?? json.detail ?? json.title;
    throw Object.assign(new Error(said ?? String(answer.status)), { status: answer.status });
  };
  const json = { "content-type": "application/json" };

  const show = (one, state, percent, words) => {
    one.state = state;
    one.row.className = state;
    one.bar.hidden = state !== "sending" && state !== "waiting";
    if (percent !== undefined) one.bar.value = percent;
    one.words.textContent = words;
    one.cancel.hidden = !["waiting", "sending"].includes(state);
    one.retry.hidden = state !== "failed" || one.refused;
    one.dismiss.hidden = ["waiting", "sending"].includes(state);
    if (["done", "failed"].includes(state)) announce.textContent = `${one.file.name}: ${words}`;
  };

  const begin = async (one) => {
    const stored = kept()[one.key];
    if (stored) {
      const there = await call("GET", `${stored.address}/content`, undefined, {}, one.stop.signal).catch(() => null);
      if (there && there.file_size === one.file.size) return { address: stored.address, from: there.received };
      keep(one.key);
    }
    const file = { name: one.file.name, file_type: one.file.type || "application/octet-stream", file_size: one.file.size };
    const { version } = await call("POST", ofDocument ?? "/documents", file, json, one.stop.signal);
    const address = `/documents/${version.document_id}/versions/${version.file_version}`;
    keep(one.key, { address });
    return { address, from: 0 };
  };

  const send = async (one) => {
    one.stop = new AbortController();
    show(one, "sending", 0, text("Sending"));
    try {
      const { address, from } = await begin(one);
      one.address = address;
      let at = from;
      let tries = 0;
      while (at < one.file.size) {
        const end = Math.min(at + PART, one.file.size);
        const range = { "content-range": `bytes ${at}-${end - 1}/${one.file.size}`, "content-type": "application/octet-stream" };
        try {
          at = (await call("PUT", `${address}/content`, one.file.slice(at, end), range, one.stop.signal)).received;
          tries = 0;
        } catch (error) {
          if (one.stop.signal.aborted || tries >= 2) throw error;
          tries += 1;
          at = (await call("GET", `${address}/content`, undefined, {}, one.stop.signal)).received;
        }
        const percent = Math.floor((at * 100) / one.file.size);
        show(one, "sending", percent, `${text("Sending")} · ${percent}%`);
      }
      const { duplicates } = await call("POST", `${address}/finish`, {}, json, one.stop.signal);
      keep(one.key);
      show(one, "done", 100, duplicates?.length ? text("Same") : text("Done"));
      if (ofDocument) location.reload();
      document.querySelector("[data-follow]")?.dispatchEvent(new Event("documents:changed"));
    } catch (error) {
      if (one.stop.signal.aborted) {
        keep(one.key);
        if (one.address) call("DELETE", one.address).catch(() => null);
        show(one, "stopped", 0, text("Stopped"));
      } else {
        // A refusal is final; a lost connection is not.
        one.refused = error.status >= 400 && error.status < 500 && ![408, 409, 429].includes(error.status);
        show(one, "failed", undefined, error.status ? error.message : text("Failed"));
      }
    }
    next();
  };
  const next = () => {
    const sending = queue.filter(({ state }) => state === "sending").length;
    for (const one of queue.filter(({ state }) => state === "waiting").slice(0, Math.max(0, AT_ONCE - sending))) send(one);
  };

  const button = (label, name, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "tiny";
    made.textContent = label;
    made.setAttribute("aria-label", `${label}: ${name}`);
    made.addEventListener("click", action);
    return made;
  };
  const add = (file) => {
    const one = { file, key: `${file.name}|${file.size}|${file.lastModified}`, row: document.createElement("li"), refused: false };
    const name = document.createElement("strong");
    name.textContent = file.name;
    name.className = "breaks";
    one.words = document.createElement("span");
    one.words.className = "small words";
    one.bar = document.createElement("progress");
    one.bar.max = 100;
    one.bar.value = 0;
    one.bar.setAttribute("aria-label", file.name);
    one.cancel = button(text("Cancel"), file.name, () => {
      if (one.state === "sending") one.stop.abort(); else show(one, "stopped", 0, text("Stopped"));
    });
    one.retry = button(text("Retry"), file.name, () => { show(one, "waiting", 0, text("Waiting")); next(); });
    one.dismiss = button(text("Dismiss"), file.name, () => {
      one.row.remove();
      queue.splice(queue.indexOf(one), 1);
      list.hidden = queue.length === 0;
    });
    const buttons = document.createElement("span");
    buttons.className = "buttons";
    buttons.append(one.retry, one.cancel, one.dismiss);
    one.row.append(name, one.words, one.bar, buttons);
    list.append(one.row);
    list.hidden = false;
    queue.push(one);
    one.refused = file.size === 0 || file.size > Number(max) * 1024 * 1024;
    if (one.refused) show(one, "failed", 0, file.size === 0 ? text("Empty") : text("Large"));
    else show(one, "waiting", 0, text("Waiting"));
  };
  const take = (files) => {
    for (const file of files) add(file);
    next();
  };
  input.addEventListener("change", () => {
    take([...input.files]);
    input.value = "";
  });
  card.querySelector("form").addEventListener("submit", (event) => event.preventDefault());

  addEventListener("beforeunload", (event) => {
    if (queue.some(({ state }) => state === "sending" || state === "waiting")) event.preventDefault();
  });
  if (ofDocument) return;
  // The whole page takes files, so that none is opened by the browser instead.
  let over = 0;
  const holds = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => { if (holds(event)) { over += 1; card.classList.add("over"); } });
  addEventListener("dragleave", (event) => {
    if (holds(event)) over = Math.max(0, over - 1);
    if (over === 0) card.classList.remove("over");
  });
  addEventListener("dragover", (event) => { if (holds(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    over = 0;
    card.classList.remove("over");
    take([...event.dataTransfer.files]);
  });
};
const withUploads = new WeakSet();
const findUploads = () => {
  for (const card of document.querySelectorAll("[data-uploads]")) {
    if (withUploads.has(card)) continue;
    withUploads.add(card);
    setUpUploads(card);
  }
};
findUploads();
// A part of the page that follows the processing was replaced.
document.addEventListener("replaced", findUploads);
