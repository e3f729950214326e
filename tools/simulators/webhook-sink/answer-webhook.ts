import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mishap } from './knobs.js';

const longestBytes = 10_000_000;
const drippingEveryMs = 100;

/** Accepts a webhook or applies the fault. @returns the value of `ReceivedWebhook.answered` */
export function answerWebhook(response: ServerResponse, name: string, mishap: Mishap | undefined): string {
  if (mishap === undefined) return takeIt(response, 200);
  const { answer, retryAfter } = mishap;
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  switch (answer) {
    case 'status':
      return takeIt(response, mishap.status ?? 503);
    case 'redirect':
      response.setHeader('location', mishap.location ?? `/hooks/${encodeURIComponent(name)}-redirected`);
      return takeIt(response, mishap.status ?? 307);
    case 'huge':
      return pour(response, mishap.status ?? 200, blocksOf(mishap.bytes ?? longestBytes));
    case 'drip':
      return pour(response, mishap.status ?? 200, drops(mishap.everyMs ?? drippingEveryMs));
    case 'garbage':
      response.socket?.end('This is not HTTP.\r\n\r\n');
      return answer;
    case 'reset':
      response.socket?.resetAndDestroy();
      return answer;
    case 'hang':
      return answer;
  }
}

function takeIt(response: ServerResponse, status: number): string {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ received: status < 300 }));
  return String(status);
}

/** Writes until the client disconnects. */
function pour(response: ServerResponse, status: number, pieces: Parameters<typeof Readable.from>[0]): string {
  response.writeHead(status, { 'content-type': 'text/plain' });
  pipeline(Readable.from(pieces), response).catch(() => undefined);
  return String(status);
}

function* blocksOf(bytes: number): Iterable<Buffer> {
  const block = Buffer.alloc(65_536, 'x');
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, left);
}

async function* drops(everyMs: number): AsyncIterable<Buffer> {
  for (;;) {
    yield Buffer.from('x');
    await delay(everyMs, undefined, { ref: false });
  }
}
