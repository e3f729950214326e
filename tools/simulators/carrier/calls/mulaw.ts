/** µ-law at 8 kHz: 8 bytes are a millisecond, a frame of 20 ms has 160. */
export const bytesPerMs = 8;
export const frameMs = 20;
export const frameBytes = frameMs * bytesPerMs;

export function silence(bytes: number): Buffer {
  return Buffer.alloc(bytes, 0xff);
}

/** A loud tone of 400 Hz, which any detection of speech by its energy takes for speech. */
export function speech(ms: number): Buffer {
  const period = Buffer.from([...Array<number>(10).fill(0x90), ...Array<number>(10).fill(0x10)]);
  return Buffer.alloc(Math.round(ms) * bytesPerMs, period);
}
