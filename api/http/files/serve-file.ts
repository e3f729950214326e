import type { Context } from 'koa';
import type { ByteSource } from '../../../domain/files/object-store.js';
import { type ProblemAnswer, toProblem } from '../problem.js';
import { given, readerGone, taken } from '../streams/reader.js';
import { fileHeaders, validatorHeaders } from './file-headers.js';
import { readPart } from './read-part.js';
import type { ServedFile } from './served-file.js';

interface Serving {
  /** Waits for a slot for the bytes; resolves to a function that releases it. */
  enter: () => Promise<() => void>;
  /** Called for errors after the answer has begun. */
  onFailure: (failure: ProblemAnswer) => void;
  /** How long a reader may take nothing, and the storage may give nothing. */
  patienceMs: number;
}

/** A reader that is slower on average is disconnected, and can continue by `Range`: a slot is never held for days. */
const slowestBytesPerMs = 8;

/**
 * Answers with a file, or a range of it, at the reader's pace. Errors before the first byte are thrown. After it, the
 * connection is cut: with `Content-Length` a client never takes a shorter answer for the whole.
 */
export async function serveFile(ctx: Context, file: ServedFile, serving: Serving): Promise<void> {
  const part = readPart(ctx, file);
  if (part === 'not_modified') {
    ctx.set(validatorHeaders(file));
    ctx.status = 304;
    return;
  }
  const { bytes } = file;
  const length = part === undefined ? bytes : part.end - part.start + 1;
  const begin = () => {
    ctx.status = part === undefined ? 200 : 206;
    ctx.set(fileHeaders(file));
    ctx.set('Content-Length', String(length));
    if (part !== undefined) ctx.set('Content-Range', `bytes ${part.start}-${part.end}/${bytes}`);
  };
  if (ctx.method === 'HEAD') return begin();
  if (length === 0) {
    begin();
    ctx.respond = false;
    ctx.res.end();
    return;
  }
  const leavePlace = await serving.enter();
  try {
    await sendBytes(ctx, { open: () => file.open(part), length, begin, serving });
  } finally {
    leavePlace();
  }
}

interface Sending {
  open: () => Promise<ByteSource>;
  length: number;
  /** Sets status and headers. */
  begin: () => void;
  serving: Serving;
}

async function sendBytes(ctx: Context, { open, length, begin, serving }: Sending): Promise<void> {
  const { res } = ctx;
  if (isGone(ctx)) return readerGone(ctx);
  let source: ByteSource | undefined;
  // At once, even while the storage is slow to give the next bytes.
  const close = () => source?.destroy();
  res.once('close', close);
  try {
    source = await open();
    if (isGone(ctx)) return readerGone(ctx);
    await pump(ctx, { source, length, begin, serving });
  } catch (error) {
    if (isGone(ctx)) readerGone(ctx);
    else if (res.headersSent) breakOff(ctx, error, serving);
    else throw error;
  } finally {
    res.off('close', close);
    source?.destroy();
  }
}

function isGone({ res, req }: Context): boolean {
  return res.destroyed || req.socket.destroyed;
}

async function pump(
  ctx: Context,
  { source, length, begin, serving: { patienceMs } }: Omit<Sending, 'open'> & { source: ByteSource },
): Promise<void> {
  const { res } = ctx;
  const pieces = source[Symbol.asyncIterator]();
  const nextPiece = () => inTime(pieces.next(), patienceMs);
  let next = await nextPiece();
  if (next.done) throw new WrongLength();
  // Twice the patience: a storage that gives nothing is named as the cause, and not its reader.
  const tooSlow = setTimeout(() => res.destroy(), 2 * patienceMs + length / slowestBytesPerMs);
  try {
    let left = length;
    ctx.respond = false;
    begin();
    while (!next.done) {
      left -= next.value.length;
      if (left < 0) throw new WrongLength();
      await given(res, next.value, patienceMs);
      next = await nextPiece();
    }
    if (left > 0) throw new WrongLength();
    res.end();
    await taken(res, 'finish', patienceMs);
    if (!res.writableFinished) readerGone(ctx);
  } finally {
    clearTimeout(tooSlow);
  }
}

/** The storage has more or fewer bytes than the row of the object says. */
class WrongLength extends Error {
  override readonly name = 'WrongLength';
}

/** The storage has opened the object and then gives nothing. */
class StorageStalled extends Error {
  override readonly name = 'StorageStalled';
}

function inTime<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const impatience = setTimeout(() => reject(new StorageStalled()), patienceMs);
    work.then(resolve, reject).finally(() => clearTimeout(impatience));
  });
}

function breakOff(ctx: Context, error: unknown, { onFailure }: Serving): void {
  const failure = toProblem(error, ctx.state.requestId);
  ctx.state.problemCode = failure.problem.code;
  onFailure(failure);
  ctx.res.destroy();
}
