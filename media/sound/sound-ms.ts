/** Bytes of µ-law sound in a millisecond, at 8 kHz. */
export const bytesPerMs = 8;

/** The milliseconds of sound in base64, without decoding it. */
export function soundMs(payload: string): number {
  const { length } = payload;
  const padding = payload.endsWith('==') ? 2 : payload.endsWith('=') ? 1 : 0;
  return (Math.floor((length * 3) / 4) - padding) / bytesPerMs;
}
