// Numbers for people to read.

const minus = (text: string) => text.replace(/-/g, "−");
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/// With `digits` significant digits; very large and very small ones with an exponent.
export function short(value: number, digits = 5): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return minus(String(value));
  const size = Math.abs(value);
  const text = size < 1e-3 || size >= 1e6 ? value.toExponential(digits - 2) : value.toPrecision(digits);
  return minus(text.includes("e") ? text.replace("e+", "e") : text);
}

/// "12 mm", "35 cm", "2 m"
export const length = (metres: number): string =>
  metres < 1e-2 ? `${short(metres * 1000, 1)} mm` : metres < 1 ? `${Number((metres * 100).toPrecision(2))} cm` : `${Number(metres.toPrecision(2))} m`;

/// −12 → "10⁻¹²"
export function power_of_ten(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)]).join("");
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

/// Labels of an axis whose ticks are `step` apart: all with the same number of decimals.
export function tick_labels(values: number[], step: number): string[] {
  const largest = Math.max(...values.map(Math.abs), step);
  const rounded = values.map((value) => (Math.abs(value) < step * 1e-6 ? 0 : value));
  if (largest >= 1e5 || largest < 1e-3) {
    const digits = Math.min(6, Math.max(0, Math.ceil(Math.log10(largest / step) - 1e-9)));
    return rounded.map((value) => (value === 0 ? "0" : minus(value.toExponential(digits).replace(/(\.\d*?)0+e/, "$1e").replace(".e", "e").replace("e+", "e"))));
  }
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9) + (is_half_step(step) ? 1 : 0)));
  return rounded.map((value) => minus(value.toFixed(decimals)));
}

// 2.5, 0.25 …: one decimal more than its power of ten
const is_half_step = (step: number) => Math.abs((step / 10 ** Math.floor(Math.log10(step) + 1e-9)) - 2.5) < 1e-6;

/// A time of a run that lasts `duration` seconds.
export function seconds(time: number, duration: number): string {
  return minus(time.toFixed(duration >= 100 ? 1 : duration >= 5 ? 2 : duration >= 0.1 ? 3 : 5));
}

/// The shortest text that reads back as the same 32-bit float.
export function float32_text(value: number): string {
  if (!Number.isFinite(value)) return "";
  for (let digits = 6; digits < 9; ++digits) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(9)));
}
