/** `/` moves to the search. Escape closes the open reasons or cluster, and returns to the link that opened them. */
function press(event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    document.getElementById("search")?.focus();
  }
  if (event.key === "Escape") document.querySelector<HTMLElement>(".cluster-drawer a[data-beside]")?.click();
  if (event.key === "Escape" && location.hash.startsWith("#why-")) {
    const opener = document.querySelector<HTMLElement>(`a[href$="${CSS.escape(location.hash)}"]`);
    location.hash = "#train";
    opener?.focus();
  }
}

document.addEventListener("keydown", press);

export {};
