import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { closedPort, startServer, startSilentServer } from '../misbehaving-server.js';
import { failureOf, privateBody, requestTo, senderTo } from './receivers.js';

/** Starts a receiver with this answer. */
const answering = (status: number, headers: Record<string, string> = {}, body: string | Buffer = '') =>
  startServer((_request, response) => response.writeHead(status, headers).end(body));

/** Starts a receiver that counts its requests. */
async function startCounting() {
  let requests = 0;
  const url = await startServer((_request, response) => {
    requests += 1;
    response.end();
  });
  return { url, requests: () => requests };
}

describe('post', () => {
  it('sends exactly the body by POST to the URL with its query', async () => {
    let seen: { method?: string; path?: string; version: string; headers: IncomingHttpHeaders } | undefined;
    const chunks: Buffer[] = [];
    const url = await startServer((request, response) => {
      const { method = '', url: path = '', httpVersion: version, headers } = request;
      seen = { method, path, version, headers };
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => response.end());
    });
    const answer = await senderTo().post(requestTo(url, { headers: { 'webhook-id': '1', 'X-More': '2' } }));

    expect(answer).toEqual({ kind: 'answered', statusCode: 200, durationMs: expect.any(Number), body: '' });
    expect(Buffer.concat(chunks).toString('utf8')).toBe(privateBody);
    expect(seen).toEqual({
      method: 'POST',
      path: '/hooks?token=private-token',
      version: '1.1',
      headers: {
        'webhook-id': '1',
        'x-more': '2',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(privateBody)),
        'user-agent': 'workspace-engagement-service',
        'accept-encoding': 'identity',
        host: new URL(url).host,
        connection: 'keep-alive',
      },
    });
  });

  it.each([200, 204, 301, 400, 410, 429, 500, 503])('returns an answer of %d', async (statusCode) => {
    const url = await answering(statusCode);
    expect(await senderTo().post(requestTo(url))).toMatchObject({ kind: 'answered', statusCode });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%d)', async (status) => {
    const elsewhere = await startCounting();
    const url = await answering(status, { location: elsewhere.url });
    expect(await senderTo().post(requestTo(url))).toMatchObject({ kind: 'answered', statusCode: status });
    expect(elsewhere.requests()).toBe(0);
  });

  it('uses no proxy of the environment', async () => {
    const proxy = `http://127.0.0.1:${await closedPort()}`;
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
      vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : proxy);
    }
    const url = await answering(200);
    const answer = await senderTo()
      .post(requestTo(url))
      .finally(() => vi.unstubAllEnvs());
    expect(answer).toMatchObject({ statusCode: 200 });
  });

  it('waits for the receiver and reports the duration', async () => {
    const url = await startServer((_request, response) => setTimeout(() => response.end(), 200));
    const answer = await senderTo().post(requestTo(url));
    expect(answer.durationMs).toBeGreaterThanOrEqual(195);
    expect(answer.durationMs).toBeLessThan(5_000);
    expect(Number.isInteger(answer.durationMs)).toBe(true);
  });
});

describe('the body that post keeps of an answer', () => {
  const textOf = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const answer = await senderTo().post(requestTo(await answering(500, headers, body)));
    return answer.kind === 'answered' ? answer.body : answer.code;
  };

  it('is its first 2,048 bytes', async () => {
    expect(await textOf('a'.repeat(2_048))).toBe('a'.repeat(2_048));
    expect(await textOf(`${'a'.repeat(2_048)}b`)).toBe('a'.repeat(2_048));
    expect(await textOf('a'.repeat(50_000))).toBe('a'.repeat(2_048));
  });

  it('is as long as retainBytes', async () => {
    const url = await answering(200, {}, 'abcdef');
    expect(await senderTo({ retainBytes: 3 }).post(requestTo(url))).toMatchObject({ body: 'abc' });
  });

  it('never ends in the middle of a character', async () => {
    expect(await textOf(`a${'é'.repeat(1_500)}`)).toBe(`a${'é'.repeat(1_023)}`);
  });

  it('has replacements for NUL and invalid UTF-8', async () => {
    expect(await textOf(Buffer.from([0x61, 0x00, 0x62, 0xff, 0x63, 0xed, 0xa0, 0x80]))).toBe(
      'a\ufffdb\ufffdc\ufffd\ufffd\ufffd',
    );
  });

  it('is empty for a compressed answer', async () => {
    expect(await textOf(gzipSync('a'.repeat(1_000_000)), { 'content-encoding': 'gzip' })).toBe('');
    expect(await textOf('plain', { 'content-encoding': 'identity' })).toBe('plain');
  });
});

describe('post with a Retry-After header', () => {
  const wait = async (value: string) => {
    const answer = await senderTo().post(requestTo(await answering(503, { 'retry-after': value })));
    return answer.kind === 'answered' ? answer.retryAfterMs : answer.code;
  };

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['-5', 0],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['1e300', 86_400_000],
    ['99999999999999999999', 86_400_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    ['1e400', undefined],
  ])('reads %s as %s ms', async (value, expected) => expect(await wait(value)).toBe(expected));

  it('reads a date', async () => {
    const milliseconds = await wait(new Date(Date.now() + 60_000).toUTCString());
    expect(milliseconds).toBeGreaterThan(50_000);
    expect(milliseconds).toBeLessThanOrEqual(60_000);
  });
});

describe('post to a receiver that cannot be reached', () => {
  it('distinguishes a refused connection from a timeout', async () => {
    const refusing = `http://127.0.0.1:${await closedPort()}`;
    expect(await failureOf(senderTo(), refusing)).toBe('connection_refused');
    const silent = `http://127.0.0.1:${await startSilentServer()}`;
    expect(await failureOf(senderTo({ timeoutMs: 100 }), silent)).toBe('timeout');
  });
});

describe('the abort signal of post', () => {
  const reason = new Error('the run was cancelled');

  it('prevents the request when it was aborted before', async () => {
    const { url, requests } = await startCounting();
    const sent = senderTo().post(requestTo(url, { signal: AbortSignal.abort(reason) }));
    await expect(sent).rejects.toBe(reason);
    expect(requests()).toBe(0);
  });

  it('ends a request that has just begun', async () => {
    const controller = new AbortController();
    const url = `http://127.0.0.1:${await startSilentServer()}`;
    const sent = senderTo().post(requestTo(url, { signal: controller.signal }));
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });

  it('ends a request under way and closes its connection', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      void startServer((request) => {
        request.socket.on('close', () => resolve());
        controller.abort(reason);
      }).then((url) =>
        expect(senderTo().post(requestTo(url, { signal: controller.signal }))).rejects.toBe(reason),
      );
    });
    await closed;
  });

  it('has no effect and no listener after the answer', async () => {
    const controller = new AbortController();
    const url = await answering(200);
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const added = vi.spyOn(controller.signal, 'addEventListener');
    await senderTo().post(requestTo(url, { signal: controller.signal }));
    expect(removed.mock.calls.map((call) => call[1])).toEqual(added.mock.calls.map((call) => call[1]));
  });
});

it('closing a sender ends the requests under way', async () => {
  const sender = senderTo();
  const url = await startServer(() => sender.close());
  expect(await failureOf(sender, url)).toBe('connection_reset');
});
