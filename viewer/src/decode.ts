// From base64 to arrays of numbers.

function bytes(base64: string): ArrayBuffer {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(base64).buffer; // newer browsers
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out.buffer;
}

export const f32 = (base64: string): Float32Array => new Float32Array(bytes(base64));
export const f64 = (base64: string): Float64Array => new Float64Array(bytes(base64));
export const u32 = (base64: string): Uint32Array => new Uint32Array(bytes(base64));
