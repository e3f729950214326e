import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { DomainError } from '../../../domain/lib/errors.js';
import { ResponseMismatch } from '../problem.js';
import { compileSerialiser } from '../serialise.js';
import { compileAnswer } from '../validation/validation.js';
import type { EventSchemas, EventSink, EventStream, EventStreamTiming } from './event-stream.js';

interface OpenStream {
  stream: EventStream<UntypedEvent, unknown>;
  encode: (event: UntypedEvent) => string;
  timing: EventStreamTiming;
  /** Authenticates the caller again. */
  authenticate: () => Promise<unknown>;
  onMismatch: (mismatch: ResponseMismatch) => void;
}

/** Begins to answer with an event stream, which continues after the request's middleware has returned. */
export function serveEvents(ctx: Context, open: OpenStream): void {
  const { stream, timing } = open;
  const { res } = ctx;
  ctx.respond = false;
  ctx.status = 200;
  ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  res.flushHeaders();
  if (ctx.method === 'HEAD' || res.destroyed) {
    stream.stop();
    res.end();
    return;
  }

  const connection = new Connection(res, open);
  // Streams that were opened together beat, and check their access, apart from each other.
  let beating = setTimeout(beat, Math.random() * timing.heartbeatMs);
  function beat() {
    beating = setTimeout(beat, timing.heartbeatMs);
    void connection.beat();
  }
  res.once('close', () => {
    clearTimeout(beating);
    connection.release();
    stream.stop();
  });
  res.write(`retry: ${spread(timing.reconnectMs)}\n\n`);
  stream.start(connection);
}

/** Spreads the delays, so that clients that were disconnected together do not reconnect together. */
function spread(ms: number): number {
  return Math.round(ms * (1 + Math.random()));
}

class Connection implements EventSink<UntypedEvent> {
  readonly #res: ServerResponse;
  readonly #open: OpenStream;
  #beats = 0;
  #wasBehind = false;
  #wasEnded = false;
  #hasDrained = false;
  #wait: { ready: Promise<void>; resolve: () => void } | undefined;

  constructor(res: ServerResponse, open: OpenStream) {
    this.#res = res;
    this.#open = open;
  }

  send(event: UntypedEvent): void {
    if (this.#res.writableEnded || this.#res.destroyed) return;
    if (this.#res.writableLength > this.#open.timing.maxUnreadBytes) {
      this.#res.destroy();
      return;
    }
    try {
      this.#res.write(this.#open.encode(event));
    } catch (error) {
      this.#res.destroy();
      if (error instanceof ResponseMismatch) this.#open.onMismatch(error);
    }
  }

  whenReady(): Promise<void> | undefined {
    const { writableEnded, destroyed, writableNeedDrain } = this.#res;
    if (writableEnded || destroyed || !writableNeedDrain) return undefined;
    if (this.#wait === undefined) {
      let resolve = () => {};
      const ready = new Promise<void>((done) => {
        resolve = done;
      });
      this.#wait = { ready, resolve };
      this.#res.once('drain', () => {
        this.#hasDrained = true;
        this.release();
      });
    }
    return this.#wait.ready;
  }

  end(): void {
    if (!this.#res.writableEnded) this.#res.end(`retry: ${spread(this.#open.timing.reconnectMs)}\n\n`);
  }

  /** Resolves the promise that waits for the reader. */
  release(): void {
    this.#wait?.resolve();
    this.#wait = undefined;
  }

  /** Disconnects a reader that has taken nothing since the last heartbeat, and ends a stream whose access is lost. */
  async beat(): Promise<void> {
    if (this.#res.writableEnded) {
      // The connection is still open: the reader has not taken the end of the stream either.
      if (this.#wasEnded) this.#res.destroy();
      this.#wasEnded = true;
      return;
    }
    const isBehind = this.#res.writableNeedDrain;
    if (isBehind && this.#wasBehind && !this.#hasDrained) {
      this.#res.destroy();
      return;
    }
    this.#wasBehind = isBehind;
    this.#hasDrained = false;
    if (!isBehind) this.#res.write(':\n\n');
    this.#beats += 1;
    if (this.#beats % this.#open.timing.heartbeatsPerCheck !== 0) return;
    try {
      await this.#open.stream.check(await this.#open.authenticate());
    } catch (error) {
      // Errors that say nothing about the caller, such as an unreachable database, are ignored.
      if (error instanceof DomainError && error.kind !== 'unavailable') this.end();
    }
  }
}

export interface UntypedEvent {
  readonly event: string;
  readonly id?: number;
  readonly data: unknown;
}

/**
 * Returns a function that encodes a route's events (https://html.spec.whatwg.org/multipage/server-sent-events.html),
 * with the data in one line, as JSON has no line breaks. @throws ResponseMismatch from that function, if `checked`
 */
export function eventEncoder(
  operationId: string,
  events: EventSchemas,
  checked: boolean,
): (event: UntypedEvent) => string {
  const compiled = new Map(
    Object.entries(events).map(([name, schema]) => {
      const mismatches = checked ? compileAnswer(schema) : () => [];
      return [name, { mismatches, serialise: compileSerialiser(schema) }];
    }),
  );
  const texts = new WeakMap<UntypedEvent, string>();

  return (event) => {
    const known = texts.get(event);
    if (known !== undefined) return known;
    const declared = compiled.get(event.event);
    const errors = declared?.mismatches(event.data) ?? [
      { pointer: '/event', message: 'is not one of the declared events' },
    ];
    if (declared === undefined || errors.length > 0) throw new ResponseMismatch(operationId, errors);
    const id = event.id === undefined ? '' : `id: ${event.id}\n`;
    const text = `${id}event: ${event.event}\ndata: ${declared.serialise(event.data)}\n\n`;
    texts.set(event, text);
    return text;
  };
}
