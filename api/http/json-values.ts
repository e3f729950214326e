/** More values than any request of ours needs: a thousand records of a hundred fields. */
export const mostJsonValues = 100_000;

const quote = 0x22;
const backslash = 0x5c;
/** `,`, `:`, `[` and `{`: each begins a value, but for the first. */
const beginsValue = new Uint8Array(256);
for (const sign of ',:[{') beginsValue[sign.charCodeAt(0)] = 1;

/**
 * Whether a JSON text has more values and names than `mostJsonValues`. It is looked at before it is parsed: half a million
 * lists, which a mebibyte holds, would take more than a fifth of a second and a good part of the process's memory.
 *
 * @param bytes UTF-8; what is no JSON is looked at as well
 */
export function hasTooManyValues(bytes: Uint8Array): boolean {
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = endOfText(bytes, at);
    else values += beginsValue[byte] ?? 0;
    if (values > mostJsonValues) return true;
  }
  return false;
}

/** Where the text ends that begins at a quote. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
