// Finds what a person would call `wanted`: arguments are ("click" or "fill", wanted).
// Answers the elements that are called so, and the names of all that could have been meant.
const [deed, wanted] = arguments;
const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const shown = (element) => element.checkVisibility({ visibilityProperty: true });

// The text as it is read out: without decoration, and without what a label has around its own field.
const said = (element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = "";
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    const aside = parent.closest("[aria-hidden=true], select, textarea, button");
    if (!shown(parent) || (aside && aside !== element && element.contains(aside))) continue;
    text += (getComputedStyle(parent).display === "inline" ? "" : " ") + walker.currentNode.data;
  }
  return text;
};

const name = (element) => {
  const labelledBy = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
  return [
    labelledBy.map((id) => said(document.getElementById(id))).join(" "),
    element.getAttribute("aria-label"),
    [...(element.labels ?? [])].map(said).join(" "),
    element.matches("input[type=submit], input[type=button]") ? element.value : "",
    element.matches("input, select, textarea") ? "" : said(element),
    element.querySelector("img[alt]")?.alt,
    element.title,
  ].map(plain).find(Boolean) ?? "";
};

const kinds = {
  click: `a[href], button, summary, input[type=submit], input[type=button], input[type=checkbox],
    input[type=radio], [role=button], [role=link], [role=tab], [role=menuitem], [role=switch], [role=option]`,
  fill: `input:not([type=hidden], [type=submit], [type=button], [type=checkbox], [type=radio]), select,
    textarea, [contenteditable]`,
};

if (deed === "focused") return name(document.activeElement);
const all = [...document.querySelectorAll(kinds[deed])].filter(shown);
let elements = all.filter((element) => name(element) === plain(wanted));
if (elements.length === 0 && deed === "click") {
  try {
    elements = [...document.querySelectorAll(wanted)].filter(shown);
  } catch {
    // Most names are not selectors.
  }
}
return { elements, names: all.map(name).filter(Boolean) };
