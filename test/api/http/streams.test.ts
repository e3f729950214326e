import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import Type from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import { publicAccess } from '../../../api/http/access.js';
import { apiPrefix } from '../../../api/http/app.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { openApiDocument } from '../../../api/http/openapi.js';
import { Id } from '../../../api/http/schemas.js';
import { Conflict } from '../../../domain/lib/errors.js';
import { startApi, type TestApi } from '../../support/api/api.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';
import { waitFor } from '../../support/lib/wait-for.js';

const common = { tag: 'Members', summary: 'A test', access: publicAccess() } as const;

/** What has happened to the source of a stream. */
interface Life {
  pulled: number;
  aborted: boolean;
  ended: boolean;
}
let life: Life;
/** Releases a source that waits. */
let goOn: () => void;
let waiting: Promise<void>;
beforeEach(() => {
  life = { pulled: 0, aborted: false, ended: false };
  logged = [];
  waiting = new Promise((resolve) => {
    goOn = resolve;
  });
});

type Piece = number | 'wait' | 'fail' | 'wrong' | 'big';

interface Line {
  n: number;
  text?: string;
}

async function* source(pieces: Iterable<Piece>, signal: AbortSignal): AsyncGenerator<Line> {
  signal.addEventListener('abort', () => {
    life.aborted = true;
    goOn();
  });
  try {
    for (const piece of pieces) {
      life.pulled += 1;
      if (piece === 'fail') throw new Error('private words');
      if (piece === 'wrong') yield { n: 0, secret: 'x' } as { n: number };
      else if (piece === 'big') yield { n: life.pulled, text: 'x'.repeat(60_000) };
      else if (piece === 'wait') await waiting;
      else yield { n: piece };
    }
  } finally {
    life.ended = true;
  }
}

function* bigWithoutEnd(): Generator<Piece> {
  for (;;) yield 'big';
}

const scripts: Record<string, () => Iterable<Piece>> = {
  three: () => [1, 2, 3],
  none: () => [],
  'fail-first': () => ['fail'],
  'fail-later': () => [1, 2, 'fail'],
  'wrong-first': () => ['wrong'],
  'wrong-later': () => [1, 'wrong', 3],
  wait: () => ['wait', 1],
  'wait-later': () => [1, 'wait', 2],
  big: bigWithoutEnd,
};

const script = Type.Object({ script: Type.String({ maxLength: 20 }) });
const sourceOf = (name: string, signal: AbortSignal) => source(scripts[name]?.() ?? [], signal);

const lines = defineRoute({
  ...common,
  operationId: 'streamLines',
  method: 'POST',
  path: '/things/{thing_id}/lines',
  query: script,
  response: {
    status: 200,
    stream: 'application/x-ndjson',
    schema: Type.Object({ n: Id, text: Type.Optional(Type.String()) }, { $id: 'TestLine' }),
    description: 'Lines',
  },
  handler: async ({ query, signal }) => {
    if (query.script === 'refuse') throw new Conflict('own_member', 'No.');
    return sourceOf(query.script, signal);
  },
});

async function* textOf(things: AsyncIterable<Line>): AsyncGenerator<string> {
  for await (const { n, text = '' } of things) yield `${n},${text}\r\n`;
}

const table = defineRoute({
  ...common,
  operationId: 'streamTable',
  method: 'GET',
  path: '/things/{thing_id}/table',
  query: script,
  response: { status: 200, stream: 'text/csv', description: 'A table' },
  handler: async ({ query, signal }) => ({
    fileName: `../a "${query.script}"\r\nX: y.csv`,
    text: textOf(sourceOf(query.script, signal)),
  }),
});

let logged: Record<string, unknown>[];
const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
const routes = [lines, table];
const rateLimits = { address: 1_000 };
const api = useApiOn(() => noDatabase, { routes, logger, rateLimits, readerPatienceMs: 1_000 });

const ask = (path: 'lines' | 'table', name: string, method = path === 'lines' ? 'POST' : 'GET') =>
  api.request(method, `/things/7/${path}`, { query: { script: name } });

const linesOf = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const sourceEnded = () => waitFor('the source is ended', () => life.ended);
const sourceAborted = () => waitFor('the source is ended', () => life.ended && life.aborted);
const loggedLines = (count: number) => waitFor('it is logged', () => logged.length === count);

describe('a response in NDJSON', () => {
  it('has one declared value per line or none, with the usual headers and limits', async () => {
    const answer = await ask('lines', 'three');

    expect(answer).toMatchObject({ status: 200, body: '{"n":1}\n{"n":2}\n{"n":3}\n' });
    expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('RateLimit')).toMatch(/^"address";r=/);
    expect(life).toMatchObject({ pulled: 3, ended: true });
    expect(await ask('lines', 'none')).toMatchObject({ status: 200, body: '' });
  });

  it('is sent line by line as it is produced', async () => {
    const socket = open('POST', 'lines', 'wait-later');
    await received(socket, '{"n":1}\n');
    goOn();
    await received(socket, '{"n":2}\n');
    socket.destroy();
  });

  it.each([
    ['refuse', 409, 'own_member'],
    ['fail-first', 500, 'internal_error'],
    ['wrong-first', 500, 'response_mismatch'],
  ])('is an ordinary problem for an error before the first line: %s', async (name, status, code) => {
    const answer = await ask('lines', name);

    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
    expect(logged.at(-1)).toMatchObject({ msg: 'request', status, code });
  });

  it.each([
    ['fail-later', [{ n: 1 }, { n: 2 }], 'internal_error'],
    ['wrong-later', [{ n: 1 }], 'response_mismatch'],
  ])('ends with an error line for a later error: %s', async (name, before, code) => {
    const answer = await ask('lines', name);

    const requestId = answer.headers.get('X-Request-Id');
    const body = linesOf(...before, { type: 'error', code, requestId });
    expect(answer).toMatchObject({ status: 200, body });
    await loggedLines(2);
    expect(logged).toMatchObject([
      { msg: 'failed', level: 50, operation: 'streamLines', code, requestId },
      { msg: 'request', operation: 'streamLines', ids: { thing_id: '7' }, status: 200, code, requestId },
    ]);
    expect(JSON.stringify(logged)).not.toContain('private');
    expect(life.ended).toBe(true);
  });
});

describe('a response as a CSV file', () => {
  it('has a sanitised file name', async () => {
    const answer = await ask('table', 'three');

    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="a-three-X-y.csv"');
    expect(answer.body).toBe('1,\r\n2,\r\n3,\r\n');
  });

  it('is an ordinary problem for an error before the first piece', async () => {
    const answer = await ask('table', 'fail-first');
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(answer.headers.get('Content-Disposition')).toBeNull();
  });

  it('is aborted on a later error, so that the client does not take it for complete', async () => {
    await expect(ask('table', 'fail-later')).rejects.toThrow();
    await loggedLines(2);
    expect(logged).toMatchObject([{ msg: 'failed' }, { msg: 'request', code: 'internal_error' }]);
    expect(life.ended).toBe(true);
  });

  it('answers HEAD without a body and closes the source', async () => {
    const answer = await ask('table', 'big', 'HEAD');
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(answer.headers.get('Content-Disposition')).toContain('attachment');
    await sourceEnded();
  });
});

describe('the client of a streamed response', () => {
  it('applies back-pressure to the source', async () => {
    const patient = await startApi(noDatabase, { routes: [lines, table] });
    const socket = open('GET', 'table', 'big', patient);
    await received(socket, 'HTTP/1.1 200');
    socket.pause();
    const pulled = await standstill();
    expect(pulled).toBeLessThan(1_000);
    socket.resume();
    await waitFor('it goes on', () => life.pulled > pulled);
    socket.destroy();
    await sourceAborted();
    await patient.close();
  });

  it('is disconnected after reading nothing for too long', async () => {
    const socket = open('GET', 'table', 'big');
    await received(socket, 'HTTP/1.1 200');
    socket.pause();
    await sourceAborted();
    await loggedLines(1);
    expect(logged).toMatchObject([{ msg: 'request', code: 'client_gone' }]);
    socket.destroy();
  });

  it.each([
    ['before the first piece', 'wait'],
    ['later', 'wait-later'],
  ])('ends the source at once by disconnecting: %s', async (_, name) => {
    const socket = open('POST', 'lines', name);
    await waitFor('it waits', () => life.pulled === (name === 'wait' ? 1 : 2));
    expect(life.aborted).toBe(false);

    socket.destroy();

    await sourceAborted();
    await loggedLines(1);
    expect(logged).toMatchObject([{ msg: 'request', operation: 'streamLines', code: 'client_gone' }]);
  });
});

describe('the OpenAPI document of a streamed response', () => {
  const { paths, components } = openApiDocument([lines, table]);

  it('describes a line and the error line', () => {
    const oneOf = ['TestLine', 'StreamFailure'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schema = { $ref: '#/components/schemas/StreamLinesLine' };
    const answer = { description: 'Lines', content: { 'application/x-ndjson': { schema } } };
    expect(paths['/things/{thing_id}/lines']?.post?.responses['200']).toEqual(answer);
    expect(components.schemas.StreamLinesLine).toMatchObject({ oneOf });
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['TestLine', 'StreamFailure']));
  });

  it('describes a CSV table', () => {
    const answer = { description: 'A table', content: { 'text/csv': { schema: { type: 'string' } } } };
    expect(paths['/things/{thing_id}/table']?.get?.responses['200']).toEqual(answer);
  });
});

function open(method: string, path: string, name: string, at: TestApi = api): Socket {
  const socket = connect(Number(new URL(at.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${method} ${apiPrefix}/things/7/${path}?script=${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

async function received(socket: Socket, text: string): Promise<void> {
  let all = '';
  while (!all.includes(text)) all += String(await once(socket, 'data').then(([data]) => data));
}

/** The number of produced pieces once it stops growing. */
async function standstill(): Promise<number> {
  let same = 0;
  let last = -1;
  await waitFor('nothing more is made', () => {
    same = life.pulled === last ? same + 1 : 0;
    last = life.pulled;
    return same === 10;
  });
  return last;
}
