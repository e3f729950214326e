/** More values than any legitimate request needs: a thousand records with a hundred fields each. */
export const mostJsonValues = 100_000;

const quote = 0x22;
const backslash = 0x5c;
/** Each of `,`, `:`, `[` and `{` precedes a value; only the outermost value has none before it. */
const beginsValue = new Uint8Array(256);
for (const sign of ',:[{') beginsValue[sign.charCodeAt(0)] = 1;

/**
 * Whether a JSON text has more values and names than `mostJsonValues`. Checked before parsing: a mebibyte can hold half
 * a million lists, which would take more than a fifth of a second and much of the process's memory.
 *
 * @param bytes UTF-8; invalid JSON is scanned as well
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

/** Returns the index of the closing quote of the string that begins at `from`. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
