// A search for "t-closeness" looks for "t" and for "closeness". Single letters are not marked in
// the results, because they would be marked inside every word.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const parse = Search._parseQuery;
  Search._parseQuery = (query) => {
    const found = parse(query);
    const marked = found[3];
    marked.forEach((term) => term.length < 2 && marked.delete(term));
    localStorage.setItem("sphinx_highlight_terms", [...marked].join(" "));
    return found;
  };
});
