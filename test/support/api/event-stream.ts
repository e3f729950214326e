import { apiPrefix } from '../../../api/http/app.js';
import { waitFor } from '../lib/wait-for.js';
import { cookieOf, type TestBrowser } from './browser.js';

export interface SeenEvent {
  /** Absent for what is over once it was seen. */
  id?: number;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an event is what it asserts
  data: any;
}

/** A client of an event stream. */
export interface TestStream {
  status: number;
  headers: Headers;
  events: SeenEvent[];
  comments: number;
  retries: number[];
  /** Resolves with the first event that fits, whether it came already or comes later. */
  seen(what: string, fits: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  lastId(): number;
  /** Resolves when the server has ended or cut the connection. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** With a key, or with the session that a browser holds. */
export type StreamCaller = { apiKey: string } | { browser: TestBrowser };

/** Opens a stream as a browser would. `path` is below `/api/v2`. */
export async function openStream(
  baseUrl: string,
  path: string,
  { lastEventId, ...caller }: StreamCaller & { lastEventId?: number | string },
): Promise<TestStream> {
  const stop = new AbortController();
  const headers = new Headers(lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) });
  if ('apiKey' in caller) headers.set('Authorization', `Bearer ${caller.apiKey}`);
  else headers.set('Cookie', cookieOf(caller.browser.token ?? ''));
  const response = await fetch(baseUrl + apiPrefix + path, { signal: stop.signal, headers });
  return readStream(response, stop);
}

/** Reads an answer that is an event stream. `stop` ends its request. */
export function readStream(response: Response, stop: AbortController): TestStream {
  const events: SeenEvent[] = [];
  const stream: TestStream = {
    status: response.status,
    headers: response.headers,
    events,
    comments: 0,
    retries: [],
    seen: (what, fits) => waitFor(`the stream tells ${what}`, () => events.find(fits)),
    lastId: () => events.findLast((event) => event.id !== undefined)?.id ?? 0,
    ended: read(response, (block) => take(stream, block)).catch(() => undefined),
    async close() {
      stop.abort();
      await stream.ended;
    },
  };
  return stream;
}

async function read({ body }: Response, onBlock: (block: string) => void): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) onBlock(block);
  }
}

function take(stream: TestStream, block: string): void {
  const fields = new Map(
    block.split('\n').map((line) => [line.split(': ')[0] ?? '', line.replace(/^\w*: ?/, '')]),
  );
  const event = fields.get('event');
  if (event !== undefined) {
    const id = fields.get('id');
    const data: unknown = JSON.parse(fields.get('data') ?? 'null');
    stream.events.push({ event, data, ...(id === undefined ? {} : { id: Number(id) }) });
  } else if (fields.has('retry')) stream.retries.push(Number(fields.get('retry')));
  else stream.comments += 1;
}
