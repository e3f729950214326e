import { texts } from './lines.js';
import { ProblemError } from './problems.js';
import { backoff, delay, type RetryOptions } from './retries.js';

/** The service sends something every 20 seconds; a connection that is silent for longer is dead. */
const longestSilenceMs = 60_000;

interface Source extends RetryOptions {
  /** Opens the stream after the event with this id. */
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  lastEventId: string | undefined;
  signal: AbortSignal;
}

interface ServerEvent {
  id?: string;
  event: string;
  data: unknown;
}

/**
 * Reads server-sent events for as long as the caller iterates. A connection that ends is opened again after the last
 * event. @throws ProblemError if the service refuses it, or the error of the last of several tries to open it
 */
export async function* events(source: Source): AsyncGenerator<ServerEvent, void> {
  let { lastEventId } = source;
  let reconnectMs = 1_000;
  for (let failures = 0; ; ) {
    const connection = new AbortController();
    const signal = AbortSignal.any([source.signal, connection.signal]);
    try {
      const body = await source.open(lastEventId, signal);
      failures = 0;
      for await (const block of blocks(body, connection)) {
        const fields = fieldsOf(block);
        lastEventId = fields.id ?? lastEventId;
        reconnectMs = fields.retry ?? reconnectMs;
        if (fields.data === undefined) continue;
        const { id, event = 'message' } = fields;
        yield { ...(id !== undefined && { id }), event, data: JSON.parse(fields.data) };
      }
    } catch (error) {
      if (source.signal.aborted || isRefusal(error) || failures >= source.retries) throw error;
      failures += 1;
    } finally {
      connection.abort();
    }
    await delay(failures === 0 ? reconnectMs : Math.max(reconnectMs, backoff(failures)), source.signal);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.status < 500 && error.status !== 429;
}

/** Splits a stream at its empty lines. Aborts the connection if nothing comes for too long. */
async function* blocks(body: ReadableStream<Uint8Array>, connection: AbortController) {
  const silence = () => connection.abort(new DOMException('The stream is silent.', 'TimeoutError'));
  let timer = setTimeout(silence, longestSilenceMs);
  let rest = '';
  try {
    for await (const text of texts(body)) {
      clearTimeout(timer);
      const parts = (rest + text).split(/\r\n\r\n|\n\n|\r\r/);
      rest = parts.pop() ?? '';
      yield* parts;
      timer = setTimeout(silence, longestSilenceMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

interface Fields {
  id?: string;
  event?: string;
  data?: string;
  retry?: number;
}

/** Reads the fields of one event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
function fieldsOf(block: string): Fields {
  const fields: Fields = {};
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === 'data') fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
    else if (name === 'id') fields.id = value;
    else if (name === 'event') fields.event = value;
    else if (name === 'retry' && /^\d+$/.test(value)) fields.retry = Number(value);
  }
  return fields;
}
