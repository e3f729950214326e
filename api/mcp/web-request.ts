import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
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
  return new Request(url, { method: 'POST', headers, signal: gone.signal });
}

/** Answers with what the library has answered: at once, or as a stream of events. */
export async function answerWeb(ctx: Context, response: Response): Promise<void> {
  ctx.status = response.status;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.body === null) ctx.body = null;
  else ctx.body = isStream ? Readable.fromWeb(response.body as ReadableStream) : await response.text();
  // Koa sets the status 204 for an empty body.
  ctx.status = response.status;
  for (const name of written) {
    const value = response.headers.get(name);
    if (value !== null) ctx.set(name, value);
  }
  if (isStream) ctx.set('X-Accel-Buffering', 'no');
}
