/** 0x80 to 0x9f in windows-1252. `TextDecoder` of some versions of Node.js reads them as ISO 8859-1, where they are controls. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes a text: as its byte order mark or its first sign says, else in the charset that is named, else as UTF-8 if it
 * is, and as windows-1252 if not, as browsers do.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const marked = utf16Of(bytes);
  const named = marked ?? encodingOf(charset) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  if (named !== 'windows-1252') return new TextDecoder(named).decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (sign) => windows1252[sign.charCodeAt(0) - 0x80] as string);
}

function utf16Of([first, second]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return undefined;
}

/** The name that the standard has for a charset; undefined for what it does not know. */
function encodingOf(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset.trim()).encoding;
  } catch {
    return undefined;
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
