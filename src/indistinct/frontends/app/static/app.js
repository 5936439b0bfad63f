// Small helps for those who have script; every page works without them.
"use strict";

// A slider says its value beside it, and in the sentence that it is part of.
document.addEventListener("input", (event) => {
  const slider = event.target;
  if (slider.matches('input[type="range"]')) {
    const id = CSS.escape(slider.id);
    const shown = document.querySelector(`output[for="${id}"]`);
    if (shown) shown.value = slider.value;
    for (const word of document.querySelectorAll(`[data-of="${id}"]`)) word.textContent = slider.value;
  }
});

// What was changed and not saved is not lost unnoticed.
let changed = false;
document.addEventListener("input", (event) => {
  if (event.target.name && event.target.closest('form[data-keep]')) changed = true;
});
document.addEventListener("submit", () => {
  changed = false;
});
addEventListener("beforeunload", (event) => {
  if (changed) event.preventDefault();
});

// What was refused is read out, and the keyboard goes on from there.
document.addEventListener("DOMContentLoaded", () => {
  const faults = document.getElementById("faults");
  if (faults) faults.focus();
});

// A value that is dragged onto another one joins its group.
function group(row) {
  return row.querySelector("input");
}
for (const row of document.querySelectorAll("[data-value]")) {
  row.draggable = true;
  row.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData("text/plain", group(row).name);
    event.dataTransfer.effectAllowed = "move";
  });
  row.addEventListener("dragover", (event) => {
    event.preventDefault();
    row.classList.add("over");
  });
  row.addEventListener("dragleave", () => row.classList.remove("over"));
  row.addEventListener("drop", (event) => {
    event.preventDefault();
    row.classList.remove("over");
    const name = event.dataTransfer.getData("text/plain");
    const dragged = document.querySelector(`[data-value] input[name="${CSS.escape(name)}"]`);
    if (!dragged || dragged === group(row)) return;
    if (!group(row).value) group(row).value = row.querySelector("th").textContent;
    dragged.value = group(row).value;
    const tree = document.querySelector('input[name="kind"][value="tree"]');
    if (tree) tree.checked = true;
  });
}

// A value that is typed beside a choice makes it.
for (const field of document.querySelectorAll("[data-kind]")) {
  field.addEventListener("input", () => {
    const choice = document.querySelector(`input[name="kind"][value="${field.dataset.kind}"]`);
    if (choice) choice.checked = true;
  });
}

// The rows of a table are found by a word, or by what is still open.
for (const field of document.querySelectorAll("[data-filter]")) {
  const table = document.querySelector(field.dataset.filter);
  const only = document.querySelector("[data-only]");
  const show = () => {
    const word = field.value.trim().toLowerCase();
    for (const row of table.querySelectorAll("tbody tr")) {
      const fits = row.dataset.name.toLowerCase().includes(word);
      row.hidden = !fits || (only.checked && row.dataset.open === undefined);
    }
  };
  field.closest("[hidden]").hidden = false;
  field.addEventListener("input", show);
  only.addEventListener("change", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
}

// All rows that are shown are ticked at once.
for (const field of document.querySelectorAll("[data-all]")) {
  field.addEventListener("change", () => {
    for (const row of document.querySelectorAll(`${field.dataset.all} tbody tr`)) {
      if (!row.hidden) row.querySelector('input[name^="pick-"]').checked = field.checked;
    }
  });
}
