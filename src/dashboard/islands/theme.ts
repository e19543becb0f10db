/** Switches between light and dark, and stores the choice for the next page. */
function switchTheme(): void {
  const root = document.documentElement;
  const isDark =
    root.dataset["theme"] === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : root.dataset["theme"] === "dark";
  root.dataset["theme"] = isDark ? "light" : "dark";
  document.cookie = `theme=${root.dataset["theme"]}; Path=/; Max-Age=31536000; SameSite=Strict`;
}

const button = document.getElementById("theme");
button?.addEventListener("click", switchTheme);
button?.removeAttribute("hidden");

export {};
