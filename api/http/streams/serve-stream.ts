import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { FieldError } from '../../../domain/lib/errors.js';
import { eventLoopTurn } from '../../../domain/lib/event-loop-turn.js';
import type { ProblemAnswer } from '../problem.js';
import { ResponseMismatch, toProblem } from '../problem.js';
import { safeFileName } from './safe-file-name.js';
import type { StreamDeclaration, StreamFailure, Table } from './stream-declaration.js';

/** How long a reader may take nothing of what is waiting for it. */
export const readerPatienceMs = 60_000;

export interface OpenedStream {
  operationId: string;
  declared: StreamDeclaration;
  /** Asks the handler. The signal is aborted once nobody reads any more. */
  begin: (signal: AbortSignal) => Promise<unknown>;
  /** What is not as declared in a line. */
  mismatches: (line: unknown) => FieldError[];
  /** Told of what goes wrong once the answer has begun. */
  onFailure: (failure: ProblemAnswer) => void;
  patienceMs: number;
  /** Waits until there is room for one more answer in pieces; what it resolves to is called when the answer is over. */
  enter: () => Promise<() => void>;
  /** Waits until a piece may be made; what it resolves to is called once it is. */
  turn: () => Promise<() => void>;
}

/**
 * Answers in pieces, at the reader's pace, and is over when the last one is written or the reader is gone; whatever the
 * pieces come from is ended then. What is thrown before the first piece is thrown here. What goes wrong later shows: as a
 * last line (`StreamFailure`), or, in a table, by a connection that is cut.
 */
export async function serveStream(ctx: Context, opened: OpenedStream): Promise<void> {
  const leavePlace = await opened.enter();
  try {
    await writePieces(ctx, opened);
  } finally {
    leavePlace();
  }
}

async function writePieces(ctx: Context, opened: OpenedStream): Promise<void> {
  const { res } = ctx;
  const leaving = new AbortController();
  const { signal } = leaving;
  res.once('close', () => leaving.abort());
  if (res.destroyed || ctx.req.socket.destroyed) leaving.abort();

  const { headers, pieces } = piecesOf(opened, await opened.begin(signal));
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    let next = await inTurn(opened, () => iterator.next());
    ctx.respond = false;
    ctx.status = 200;
    ctx.set(headers);
    while (!next.done && !signal.aborted && ctx.method !== 'HEAD') {
      if (!res.write(next.value)) await room(res, opened.patienceMs);
      next = await inTurn(opened, () => iterator.next());
    }
    if (signal.aborted) leave(ctx);
    else res.end();
  } catch (error) {
    if (signal.aborted) leave(ctx);
    else if (res.headersSent) breakOff(ctx, opened, error);
    else throw error;
  } finally {
    await iterator.return?.();
  }
}

async function inTurn<T>({ turn }: OpenedStream, make: () => Promise<T>): Promise<T> {
  const end = await turn();
  try {
    // Pieces that are there already would follow each other without a turn for others.
    await eventLoopTurn();
    return await make();
  } finally {
    end();
  }
}

/** Nobody is there to be answered. */
function leave(ctx: Context): void {
  ctx.respond = false;
  ctx.status = 200;
  ctx.state.problemCode = 'client_gone';
}

function breakOff(ctx: Context, { declared, onFailure }: OpenedStream, error: unknown): void {
  const failure = toProblem(error, ctx.state.requestId);
  const { code, requestId } = failure.problem;
  ctx.state.problemCode = code;
  onFailure(failure);
  if (declared.stream === 'text/csv') {
    ctx.res.destroy();
    return;
  }
  const last: StreamFailure = { type: 'error', code, requestId };
  ctx.res.end(`${JSON.stringify(last)}\n`);
}

interface Pieces {
  headers: Record<string, string>;
  pieces: AsyncIterable<string>;
}

function piecesOf(opened: OpenedStream, answer: unknown): Pieces {
  if (opened.declared.stream === 'text/csv') {
    const { fileName, text } = answer as Table;
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${safeFileName(fileName)}"`,
    };
    return { headers, pieces: text };
  }
  // Proxies that gather an answer before they pass it on would keep its progress from the reader.
  const headers = { 'Content-Type': 'application/x-ndjson', 'X-Accel-Buffering': 'no' };
  return { headers, pieces: linesOf(opened, answer as AsyncIterable<unknown>) };
}

/** JSON has no line breaks outside of strings and escapes them inside, so each value is one line. */
async function* linesOf(
  { operationId, mismatches }: OpenedStream,
  values: AsyncIterable<unknown>,
): AsyncGenerator<string> {
  for await (const value of values) {
    const errors = mismatches(value);
    if (errors.length > 0) throw new ResponseMismatch(operationId, errors);
    yield `${JSON.stringify(value)}\n`;
  }
}

/** Resolves once the reader has taken what was written, or is gone, or was cut off because it takes nothing. */
function room(res: ServerResponse, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => res.destroy(), patienceMs);
    const done = () => {
      clearTimeout(impatience);
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.once('drain', done).once('close', done);
    if (res.destroyed) done();
  });
}
