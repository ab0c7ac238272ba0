// Sends requests from the API reference with the session of the reader.
"use strict";

// A link to an operation or a schema opens it.
const openLinked = () => {
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (linked?.tagName !== "DETAILS") return;
  linked.hidden = false;
  linked.open = true;
  linked.scrollIntoView();
};
addEventListener("hashchange", openLinked);
openLinked();

const csrf = document.querySelector("[data-csrf]")?.dataset.csrf;
for (const form of csrf ? document.querySelectorAll("form[data-try]") : []) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = form.querySelector("output");
    const shown = form.querySelector("pre");
    let path = form.dataset.path;
    const query = new URLSearchParams();
    const headers = { accept: "application/json", "x-csrf-token": csrf };
    let body;
    let media;
    for (const field of form.querySelectorAll("[data-in]")) {
      const { name, in: place } = field.dataset;
      if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(field.value));
      else if (place === "body") [body, media] = [field.value, field.dataset.media];
      else if (field.value !== "" && place === "query") query.set(name, field.value);
      else if (field.value !== "" && place === "header") headers[name] = field.value;
    }
    if (body !== undefined) headers["content-type"] = media;
    const address = query.size > 0 ? `${path}?${query}` : path;
    output.textContent = "…";
    try {
      const response = await fetch(address, { method: form.dataset.try, headers, body });
      const text = await response.text();
      output.textContent = `${response.status} ${response.statusText}`;
      let pretty = text;
      try { pretty = JSON.stringify(JSON.parse(text), null, 2); } catch { /* Not JSON. */ }
      shown.textContent = pretty.slice(0, 100000);
      shown.hidden = text === "";
    } catch {
      output.textContent = output.dataset.failed;
      shown.hidden = true;
    }
  });
}
