import { createServer, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { now, sentAt } from './sent-at.js';

/*
 * A separate process that reads event streams, so that reading does not slow down the senders. `POST /open` opens
 * streams and responds once all have begun; `GET /arrivals` returns the delivery times, in milliseconds, of the
 * messages since the previous call.
 */

export interface OpenedStream {
  url: string;
  authorization: string;
}

/** Streams that are opened at the same time; stays within the server's accept backlog. */
const atOnce = 50;
let arrivals: number[] = [];

async function openAll(streams: readonly OpenedStream[]): Promise<void> {
  for (let from = 0; from < streams.length; from += atOnce) {
    await Promise.all(streams.slice(from, from + atOnce).map(open));
  }
}

function open({ url, authorization }: OpenedStream): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream was answered ${response.statusCode}`));
      response.once('data', () => resolve());
      read(response);
    }).once('error', reject);
  });
}

function read(response: IncomingMessage): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    const arrivedAt = now();
    text += piece;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const sent = event.includes('event: message.created') ? sentAt(event) : undefined;
      if (sent !== undefined) arrivals.push(arrivedAt - sent);
    }
  });
}

const server = createServer((request, response) => {
  const answer = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'POST') {
    json(request)
      .then((streams) => openAll(streams as OpenedStream[]))
      .then(
        () => answer(200, {}),
        (error: Error) => answer(500, error.message),
      );
    return;
  }
  const told = request.url === '/arrivals' ? arrivals : [];
  if (request.url === '/arrivals') arrivals = [];
  answer(200, told);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
