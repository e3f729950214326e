import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { drainRefusedBodies } from '../../../api/http/drain-refused-bodies.js';
import { HttpProblem } from '../../../api/http/problem.js';
import { useApi } from '../../support/api/use-api.js';

const { api, workspace } = useApi();
const mebibyte = 1_048_576;

const headOf = (path: string, length: number, ...more: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${length}`, ...more, '', ''].join('\r\n');

/** Sends all, and reads only then, as urllib of Python does. @returns all that comes until the connection is closed */
async function sendThenRead(port: number, ...pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause();
  for (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  await once(socket.resume(), 'close');
  return answer;
}

const portOf = () => Number(new URL(api.baseUrl).port);
const closing = 'Connection: close';

describe('a client that sends all before it reads, and closes the connection', () => {
  const part = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n`;
  it.each([
    ['JSON', 'members', 'application/json', () => Buffer.alloc(12 * mebibyte, 0x20)],
    [
      'a file',
      'members/import',
      'multipart/form-data; boundary=x',
      () => Buffer.concat([Buffer.from(part('file')), Buffer.alloc(12 * mebibyte, 0x61)]),
    ],
  ])('sees the answer to a body that is too large: %s', async (_what, path, type, bodyOf) => {
    const body = bodyOf();
    const key = `Authorization: Bearer ${workspace.admin.apiKey}`;
    const place = `/api/v2${workspace.path(`/${path}`)}`;
    const head = headOf(place, body.length, closing, key, `Content-Type: ${type}`);

    const answer = await sendThenRead(portOf(), head, body);

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('body_too_large');
  });

  it('sees that its credential is refused', async () => {
    const body = Buffer.alloc(4 * mebibyte, 0x20);
    const head = headOf(`/api/v2${workspace.path('/members')}`, body.length, closing);
    expect(await sendThenRead(portOf(), head, body)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('what is received of a refused body is bounded', () => {
  const open: Server[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
  });

  /** Refuses every request before it is read. */
  async function refusing(bounds: { bytes: number; ms: number }): Promise<number> {
    const app = new Koa();
    app.use(drainRefusedBodies(bounds));
    app.use(async (ctx, next) => {
      await next().catch(({ status }: HttpProblem) => {
        ctx.status = status;
      });
    });
    app.use(() => {
      throw new HttpProblem(413, 'body_too_large', 'It is too large.');
    });
    const server = createServer(app.callback());
    open.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  it.each([
    ['in time: a client that stops sending is answered', { bytes: 1_000_000, ms: 20 }, 10],
    ['in bytes: one that sends on is answered', { bytes: 1_000, ms: 3_600_000 }, 2_000],
  ])('%s', async (_what, bounds, sent) => {
    const port = await refusing(bounds);
    const socket = connect(port, '127.0.0.1');
    socket.write(headOf('/', 1_000_000, closing));
    socket.write('x'.repeat(sent));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is answered at once where the connection stays open', async () => {
    const port = await refusing({ bytes: 1_000_000, ms: 3_600_000 });
    const socket = connect(port, '127.0.0.1');
    socket.write(headOf('/', 1_000_000));
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('ends with a client that goes away', async () => {
    const port = await refusing({ bytes: 1_000_000, ms: 3_600_000 });
    const socket = connect(port, '127.0.0.1');
    socket.write(headOf('/', 1_000_000, closing));
    await once(socket, 'connect');
    socket.destroy();
    const [server] = open.splice(0);
    await new Promise((resolve) => server?.close(resolve));
  });
});
