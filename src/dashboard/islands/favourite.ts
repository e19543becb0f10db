/** Modules that the reader marked, as the server reads them: a cookie with their names. */
function marked(): ReadonlySet<string> {
  const [, names = ""] = /(?:^|; )favourites=([^;]*)/.exec(document.cookie) ?? [];
  return new Set(names.split(".").filter((name) => name !== ""));
}

/** Marks a module, or no longer, and remembers it for the next page. */
function press(button: HTMLElement): void {
  const { module = "" } = button.dataset;
  const names = new Set(marked());
  if (!names.delete(module)) names.add(module);
  document.cookie = `favourites=${[...names].join(".")}; Path=/; Max-Age=31536000; SameSite=Strict`;
  button.setAttribute("aria-pressed", String(names.has(module)));
}

const button = document.getElementById("favourite");
button?.addEventListener("click", () => {
  press(button);
});
button?.removeAttribute("hidden");

export {};
