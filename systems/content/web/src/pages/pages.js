// Lists in an order of their own: a row is dragged to its place, and the whole order is sent.
for (const form of document.querySelectorAll("form[data-order]")) {
  const list = form.querySelector("ol");
  let dragged = null;
  const ids = () => [...list.children].map((row) => row.dataset.id).join(",");
  let before = ids();
  list.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("li");
    before = ids();
    dragged.classList.add("dragged");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.id);
  });
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const { top, height } = over.getBoundingClientRect();
    over[event.clientY < top + height / 2 ? "before" : "after"](dragged);
  });
  list.addEventListener("drop", (event) => { if (dragged) event.preventDefault(); });
  list.addEventListener("dragend", () => {
    dragged?.classList.remove("dragged");
    dragged = null;
    if (ids() === before) return;
    const order = document.createElement("input");
    order.type = "hidden";
    order.name = "order";
    order.value = ids();
    form.append(order);
    form.submit();
  });
}

// A reply can start with a template.
for (const part of document.querySelectorAll("[data-templates]")) {
  part.hidden = false;
  part.querySelector("select").addEventListener("change", ({ target }) => {
    const area = part.closest("form").querySelector("textarea");
    if (target.value === "") return;
    area.value = area.value.trim() === "" ? target.value : `${area.value}\n\n${target.value}`;
    area.focus();
  });
}

// Pictures are shown as soon as their address is there; the focal point is chosen by a click.
for (const picture of document.querySelectorAll("[data-focus]")) {
  const [x, y] = ["focusX", "focusY"].map((name) => document.getElementById(`f-${name}`));
  const mark = picture.parentElement.querySelector(".focus");
  const place = () => {
    mark.hidden = x.value === "";
    mark.style.left = `${x.value}%`;
    mark.style.top = `${y.value}%`;
  };
  picture.addEventListener("click", ({ offsetX, offsetY }) => {
    x.value = Math.round((offsetX / picture.clientWidth) * 100);
    y.value = Math.round((offsetY / picture.clientHeight) * 100);
    place();
  });
  place();
}
