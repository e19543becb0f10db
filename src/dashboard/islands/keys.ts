/** `/` goes to the search; Escape closes the reasons or the cluster that are open, and returns to what opened them. */
function press(event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    document.getElementById("search")?.focus();
  }
  if (event.key === "Escape") document.querySelector<HTMLElement>(".drawer a[data-beside]")?.click();
  if (event.key === "Escape" && location.hash.startsWith("#why-")) {
    const opener = document.querySelector<HTMLElement>(`a[href$="${CSS.escape(location.hash)}"]`);
    location.hash = "#train";
    opener?.focus();
  }
}

document.addEventListener("keydown", press);

export {};
