// Elements made by code. Strings become text nodes or attribute values, so nothing from the data is ever markup.

type Attributes = Record<string, string | number | boolean | null>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
}

/// A button that shows an icon, with its meaning as name and tooltip.
export function icon_button(icon: SVGElement, name: string, action: () => void): HTMLButtonElement {
  const button = el("button", { type: "button", class: "icon", "aria-label": name, title: name }, icon);
  button.addEventListener("click", action);
  return button;
}

export function text_button(text: string, name: string, action: () => void): HTMLButtonElement {
  const button = el("button", { type: "button", "aria-label": name, title: name }, text);
  button.addEventListener("click", action);
  return button;
}

export function checkbox(text: string, checked: boolean, action: (on: boolean) => void): HTMLLabelElement {
  const input = el("input", { type: "checkbox", checked });
  input.addEventListener("change", () => action(input.checked));
  return el("label", { class: "check" }, input, text);
}

export function save_as(name: string, content: Blob): void {
  const link = el("a", { download: name, href: URL.createObjectURL(content) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/// "Tool path: error" → "tool-path-error", for file names.
export function file_name(text: string, ending: string): string {
  const stem = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60);
  return `${stem || "trammel"}.${ending}`;
}
