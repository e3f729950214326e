import { Readable } from 'node:stream';
import type { ReadableStream, ReadableStreamDefaultReader, ReadableStreamReadResult } from 'node:stream/web';
import { setImmediate } from 'node:timers/promises';
import type { Context } from 'koa';

/** The headers that the protocol reads. */
const read = /^(?:content-type|accept|last-event-id|mcp-[a-z-]+)$/;
const written = ['content-type', 'mcp-protocol-version', 'mcp-session-id'];

/** A request of Koa, whose body is received already, as the library takes it. It is aborted when the client goes. */
export function toWebRequest(ctx: Context, url: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (read.test(name) && typeof value === 'string') headers.set(name, value);
  }
  const gone = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) gone.abort();
  });
  const request = new Request(url, { method: 'POST', headers });
  // A signal that is given to the constructor is followed by another one, through weak references that are slow to collect.
  Object.defineProperty(request, 'signal', { value: gone.signal });
  return request;
}

/** Answers with what the library has answered: at once, or as a stream of events. */
export async function answerWeb(ctx: Context, response: Response): Promise<void> {
  ctx.status = response.status;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.body === null) ctx.body = null;
  else
    ctx.body = isStream ? await eventsOf(response.body as ReadableStream<Uint8Array>) : await response.text();
  // Koa sets the status 204 for an empty body.
  ctx.status = response.status;
  for (const name of written) {
    const value = response.headers.get(name);
    if (value !== null) ctx.set(name, value);
  }
  if (isStream) ctx.set('X-Accel-Buffering', 'no');
}

/** The events of a call: a stream only if it goes on after its first event, which few do. */
async function eventsOf(body: ReadableStream<Uint8Array>): Promise<Buffer | Readable> {
  const reader = body.getReader();
  const first = await reader.read();
  if (first.value === undefined) return Buffer.alloc(0);
  const second = reader.read();
  const next = await Promise.race([second, setImmediate(undefined)]);
  return next?.done ? Buffer.from(first.value) : Readable.from(chunksOf(reader, [first, second]));
}

type Chunk = ReadableStreamReadResult<Uint8Array>;

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  begun: (Chunk | Promise<Chunk>)[],
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { value } = await (begun.shift() ?? reader.read());
      if (value === undefined) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
