import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { malformed, maxFieldBytes, tooLarge } from './form-problems.js';

export interface FormFeeding {
  /** Called with the first failure and others; it aborts the signal, and then nothing more is read. */
  fail: (error: unknown) => void;
  signal: AbortSignal;
  /** Of the file. */
  maxBytes: number;
}

/** Writes a body into a parser, as fast as the parser takes it. Resolves when all is parsed, or it has failed. */
export async function feedForm(
  body: IncomingMessage,
  form: Writable,
  { fail, signal, maxBytes }: FormFeeding,
): Promise<void> {
  let received = 0;
  const take = (piece: Buffer) => {
    received += piece.length;
    if (received > maxBytes + maxFieldBytes) return fail(tooLarge(maxBytes));
    // One piece at a time: it is then parsed within `write`, and an error of the parser is caught here.
    body.pause();
    try {
      form.write(piece, () => {
        if (!signal.aborted) body.resume();
      });
    } catch {
      // Parsers throw at what they cannot parse.
      fail(malformed());
    }
  };
  const end = () => form.end();
  const close = () => {
    if (!body.readableEnded) fail(malformed());
  };
  if (body.destroyed) return fail(malformed());
  // A connection that is cut reports its error only to those who listen.
  body.on('data', take).once('end', end).once('close', close);
  try {
    await once(form, 'finish', { signal });
  } catch (error) {
    fail(error);
  } finally {
    body.off('data', take).off('end', end).off('close', close);
  }
}
