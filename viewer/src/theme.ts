// Light or dark: as the system says until the reader chooses. Colours live in the style sheet alone.

const listeners: (() => void)[] = [];
const known = new Map<string, string>();
const system = matchMedia("(prefers-color-scheme: dark)");
let chosen: "light" | "dark" | null = null;

apply();
system.addEventListener("change", apply);

export function on_theme_change(listener: () => void): void {
  listeners.push(listener);
}

export function toggle_theme(): void {
  chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  apply();
}

/// The value of a custom property of the style sheet, such as "--ink".
export function css_color(name: string): string {
  if (!known.has(name)) known.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return known.get(name)!;
}

/// The n-th colour of curves, arrows and paths; they repeat after `palette_size`.
export const palette_size = 7;
export const palette_color = (n: number): string => css_color(`--curve-${n % palette_size}`);

function apply(): void {
  document.documentElement.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
  known.clear();
  for (const listener of listeners) listener();
}
