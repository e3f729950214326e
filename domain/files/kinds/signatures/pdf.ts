import type { FileSource } from '../file-source.js';

/** Readers accept other bytes before the header of a PDF, within its first kilobyte. */
const headerWithin = 1024;
const trailerWithin = 2048;

/** A header alone can be a quotation in a text: a PDF also ends with the place of its cross-references. */
export async function isPdf(source: FileSource, head: Uint8Array): Promise<boolean> {
  if (!/%PDF-\d\.\d/.test(latin1(head.subarray(0, headerWithin)))) return false;
  const tail = await source.read(Math.max(0, source.bytes - trailerWithin), trailerWithin);
  return /startxref\s+\d+\s+%%EOF/.test(latin1(tail));
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
