import type { Context } from 'koa';
import type { FieldError } from '../../../domain/lib/errors.js';
import { eventLoopTurn } from '../../../domain/lib/event-loop-turn.js';
import { type ProblemAnswer, ResponseMismatch, toProblem } from '../problem.js';
import type { Serialise } from '../serialise.js';
import type { StreamDeclaration, StreamFailure, Table } from './event-stream.js';
import { readerGone, taken } from './reader.js';

/** How long a streamed answer waits for a reader that takes nothing. */
export const readerPatienceMs = 60_000;

interface OpenedStream {
  operationId: string;
  declared: StreamDeclaration;
  /** Calls the handler. */
  begin: (signal: AbortSignal) => Promise<unknown>;
  /** Returns the differences between a line and its declaration. */
  mismatches: (line: unknown) => FieldError[];
  /** Writes a line. */
  serialise: Serialise;
  /** Called for errors after the answer has begun. */
  onFailure: (failure: ProblemAnswer) => void;
  patienceMs: number;
  /** Waits for a slot for the answer; resolves to a function that releases it. */
  enter: () => Promise<() => void>;
  /** Waits for a turn to produce a piece; resolves to a function that ends the turn. */
  turn: () => Promise<() => void>;
}

/**
 * Streams an answer at the reader's pace. It ends when the last piece is written or the reader has disconnected; the
 * iterator of the pieces is then closed. Errors before the first piece are thrown. A later error shows as a last line
 * (`StreamFailure`) or, in a table, as a connection that is cut.
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
      if (!res.write(next.value)) await taken(res, 'drain', opened.patienceMs);
      next = await inTurn(opened, () => iterator.next());
    }
    if (signal.aborted) readerGone(ctx);
    else res.end();
  } catch (error) {
    if (signal.aborted) readerGone(ctx);
    else if (res.headersSent) breakOff(ctx, opened, error);
    else throw error;
  } finally {
    await iterator.return?.();
  }
}

/** Makes a piece of an answer when it is its turn. */
export async function inTurn<T>({ turn }: Pick<OpenedStream, 'turn'>, make: () => Promise<T>): Promise<T> {
  const end = await turn();
  try {
    // Pieces that are already available would otherwise follow each other without yielding to other requests.
    await eventLoopTurn();
    return await make();
  } finally {
    end();
  }
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

function piecesOf(opened: OpenedStream, answer: unknown) {
  if (opened.declared.stream === 'text/csv') {
    const { fileName, text } = answer as Table;
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${safeFileName(fileName)}"`,
    };
    return { headers, pieces: text };
  }
  // Prevents proxies from buffering the answer, which would hide its progress from the reader.
  const headers = { 'Content-Type': 'application/x-ndjson', 'X-Accel-Buffering': 'no' };
  return { headers, pieces: linesOf(opened, answer as AsyncIterable<unknown>) };
}

/** JSON has no line breaks outside of strings and escapes them inside, so each value is one line. */
async function* linesOf(
  { operationId, mismatches, serialise }: OpenedStream,
  values: AsyncIterable<unknown>,
): AsyncGenerator<string> {
  for await (const value of values) {
    const errors = mismatches(value);
    if (errors.length > 0) throw new ResponseMismatch(operationId, errors);
    yield `${serialise(value)}\n`;
  }
}

/** Returns a name that every file system and header accepts (RFC 6266, appendix D). */
function safeFileName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return safe === '' ? 'file' : safe.slice(-100);
}
