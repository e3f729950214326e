import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere } = new MessageChannel();
nowhere.close();

/**
 * Gives pieces of a body on, and frees the memory of each when the next one is asked for. Otherwise it is free only after
 * a collection of all garbage, which the process then does for every 64 MB: 150 ms for an upload of 50 MB.
 */
export async function* releasing(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    release(piece);
  }
}

/** Smaller pieces are not worth it, and may be memory of the parser, which keeps the beginning of a boundary. */
const minReleased = 4_096;

/** What is transferred to a closed port is gone at once. Memory of which the piece is only a part is left alone. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < minReleased || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) nowhere.postMessage(null, [buffer]);
}
