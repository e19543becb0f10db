/** Marks or unmarks a module as a favourite. The names are in a cookie, which the server reads. */
function press(button: HTMLElement): void {
  const { module = "" } = button.dataset;
  const [, marked = ""] = /(?:^|; )favourites=([^;]*)/.exec(document.cookie) ?? [];
  const names = new Set(marked.split(".").filter((name) => name !== ""));
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
