/** Copies the command beside a button, and confirms that for a moment. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const command = button.parentElement?.querySelector("code")?.textContent ?? "";
  await navigator.clipboard.writeText(command);
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
}

document.addEventListener("click", ({ target }) => {
  if (target instanceof HTMLButtonElement && target.matches(".command-box button")) void copy(target);
});

export {};
