import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { ObjectStore } from '../../../domain/files/object-store.js';
import { HttpProblem } from '../problem.js';
import { unsupportedEncoding } from '../read-body.js';
import { type FileDeclaration, openSpool, slowestUnproved, spoolBytes } from './uploaded-file.js';

/**
 * Receives a body that is one file, into the spool folder of the storage; `removingSpool` deletes it.
 * @throws TooManyRequests, Unavailable while too many other uploads are in progress or the storage cannot be used,
 *   HttpProblem 400 when the body is empty or incomplete, 413 when it is too large (before reading it, if its length is
 *   known), 415
 */
export async function readRaw(
  ctx: Context,
  declared: FileDeclaration & { mediaType: string },
  storage: Pick<ObjectStore, 'receive'>,
): Promise<void> {
  const { maxBytes, mediaType } = declared;
  const { length } = ctx.request;
  const chunked = ctx.req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === 0)) throw incomplete();
  if (length !== undefined && length > maxBytes) throw tooLarge(maxBytes);
  if (ctx.is(mediaType) === false) {
    throw new HttpProblem(415, 'unsupported_media_type', `The body has to be ${mediaType}.`);
  }
  if (ctx.get('Content-Encoding') !== '') throw unsupportedEncoding('identity');
  const spool = await openSpool(ctx, declared);
  const body = spool.isUnproved ? quickly(ctx.req) : piecesOf(ctx.req);
  try {
    await spoolBytes(spool, { bytes: bounded(body, maxBytes), name: null, storage, maxBytes });
  } catch (error) {
    // Discards the rest of the body, so that the sender can read the refusal.
    ctx.req.resume();
    throw error;
  }
  if (spool.file?.bytes === 0) throw incomplete();
}

/** The iterator would destroy the connection when it ends early, and with it the answer. */
function piecesOf(body: IncomingMessage): AsyncIterable<Uint8Array> {
  return body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

/** The pieces of a body, whose connection is closed if it comes too slowly (`slowestUnproved`). */
async function* quickly(body: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { patienceMs, bytesPerMs } = slowestUnproved;
  const beganAt = Date.now();
  let received = 0;
  const closeLater = () => {
    const leftMs = patienceMs + received / bytesPerMs - (Date.now() - beganAt);
    return setTimeout(() => body.destroy(), Math.max(0, leftMs));
  };
  let timer = closeLater();
  try {
    for await (const piece of piecesOf(body)) {
      clearTimeout(timer);
      received += piece.byteLength;
      yield piece;
      timer = closeLater();
    }
  } finally {
    clearTimeout(timer);
  }
}

async function* bounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const piece of pieces) {
      received += piece.byteLength;
      if (received > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  } catch (error) {
    throw error instanceof HttpProblem ? error : incomplete();
  }
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(413, 'body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

function incomplete(): HttpProblem {
  return new HttpProblem(400, 'malformed_body', 'The body is empty, or not all of it has come.');
}
