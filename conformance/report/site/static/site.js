// Filters, sorts, folds, copies, and says what bytes are. Without it every page shows everything.
"use strict";

const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

function rowsOf(table) {
  return all("tbody tr", table).filter((row) => !row.closest(".area") && !row.classList.contains("head"));
}

function apply(id) {
  const table = document.getElementById(id);
  const wanted = (document.querySelector(`[data-filter="${id}"]`)?.value || "").trim().toLowerCase();
  const state = document.querySelector(`[data-states="${id}"]`)?.value || "";
  let shown = 0;
  for (const row of rowsOf(table)) {
    const text = row.dataset.text || row.textContent.toLowerCase();
    const matches = text.toLowerCase().includes(wanted) && (!state || row.querySelector(`td.${state}`) !== null);
    row.hidden = !matches;
    shown += matches ? 1 : 0;
  }
  for (const group of all("tbody.group", table)) {
    const any = all("tr.rule", group).some((row) => !row.hidden);
    group.hidden = !any;
    fold(group, !(wanted || state));
  }
  const status = document.querySelector(`[data-shown="${id}"]`);
  if (status) status.textContent = wanted || state ? `${shown} of ${rowsOf(table).length} rows` : "";
}

function fold(group, closed) {
  group.classList.toggle("closed", closed);
  all("button[aria-expanded]", group).forEach((button) => button.setAttribute("aria-expanded", String(!closed)));
}

function makeFolds() {
  for (const place of all("[data-toggle]")) {
    const group = document.getElementById(place.dataset.toggle);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = place.textContent;
    button.setAttribute("aria-controls", group.id);
    button.addEventListener("click", () => fold(group, !group.classList.contains("closed")));
    button.setAttribute("aria-expanded", "false");
    place.replaceChildren(button);
    fold(group, true);
  }
}

function valueOf(row, column) {
  const cell = row.children[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  return cell.dataset.value !== undefined ? Number(text) : text.toLowerCase();
}

function sort(table, column, heading) {
  const descending = heading.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const rows = Array.from(body.rows).map((row, index) => [valueOf(row, column), index, row]);
  const compare = (one, other) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : one[1] - other[1]);
  rows.sort((one, other) => (descending ? compare(other, one) : compare(one, other)));
  all("th[aria-sort]", table.tHead).forEach((each) => each.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  body.append(...rows.map((row) => row[2]));
}

function makeSorts() {
  for (const table of all("table[data-sortable]")) {
    Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, column, heading));
      heading.replaceChildren(button);
    });
  }
}

async function copy(button) {
  const place = document.getElementById(button.dataset.copy);
  const before = button.dataset.label || button.innerHTML;
  button.dataset.label = before;
  try {
    await navigator.clipboard.writeText(place.textContent);
    button.textContent = "Copied";
  } catch {
    const range = document.createRange();
    range.selectNodeContents(place);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    button.textContent = "Selected: copy it with the keyboard";
  }
  setTimeout(() => { button.innerHTML = before; }, 3000);
}

function inspect(piece) {
  const row = document.getElementById(piece.getAttribute("href").slice(1));
  const table = row.closest("table");
  const names = Array.from(table.tHead.rows[0].cells).map((cell) => cell.textContent);
  const facts = Array.from(row.cells).map((cell, index) => [names[index], cell.textContent.trim()]);
  const panel = piece.closest("section").querySelector("[data-inspector]");
  panel.textContent = facts.filter((fact) => fact[1]).map((fact) => fact.join(": ")).join(" · ");
}

// Leads from the address of a case to its cause, if one run alone has the case.
function followAddress() {
  const links = all("a", document.getElementById(location.hash.slice(1))?.closest(".addresses li") || document.createElement("p"));
  if (links.length === 1) location.replace(links[0].href + location.hash);
}

function start() {
  all("[data-tools], [data-copy], [data-inspector]").forEach((each) => { each.hidden = false; });
  makeFolds();
  makeSorts();
  followAddress();
  all("[data-filter]").forEach((each) => each.addEventListener("input", () => apply(each.dataset.filter)));
  all("[data-states]").forEach((each) => each.addEventListener("change", () => apply(each.dataset.states)));
  all("[data-copy]").forEach((each) => each.addEventListener("click", () => copy(each)));
  for (const piece of all(".piece")) {
    piece.addEventListener("focus", () => inspect(piece));
    piece.addEventListener("mouseenter", () => inspect(piece));
  }
}

start();
