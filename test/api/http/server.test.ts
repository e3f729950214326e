import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const api = useApiOn(() => noDatabase);

/** Sends text as it is, and returns all that comes back until the server closes the connection. */
async function exchange(text: string): Promise<string> {
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

const path = '/api/v2/health/live';
const request = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

describe('a request that the parser refuses is answered with a problem', () => {
  it.each([
    ['an unknown method', request(`FOO ${path} HTTP/1.1`, 'Host: a'), 400, 'malformed_request', 'method'],
    ['another version', request(`GET ${path} HTTP/9.9`, 'Host: a'), 400, 'malformed_request', 'version'],
    [
      'both lengths',
      request(`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Length: 3', 'Transfer-Encoding: chunked'),
      400,
      'malformed_request',
      'Transfer-Encoding',
    ],
    [
      'two lengths',
      request(`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Length: 3', 'Content-Length: 4'),
      400,
      'malformed_request',
      'Content-Length',
    ],
    ['an invalid header', request(`GET ${path} HTTP/1.1`, 'Ho st: a'), 400, 'malformed_request', 'header'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request', ''],
    [
      'large headers',
      request(`GET ${path} HTTP/1.1`, 'Host: a', `X: ${'a'.repeat(90_000)}`),
      431,
      'headers_too_large',
      '81920',
    ],
  ])('%s', async (_, text, status, code, said) => {
    const [head = '', body = ''] = (await exchange(text)).split('\r\n\r\n');

    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('Content-Type: application/problem+json');
    expect(head).toContain('Connection: close');
    const problem = JSON.parse(body);
    expect(problem).toMatchObject({ type: 'about:blank', status, code, errors: [] });
    expect(problem.detail).toContain(said);
    expect(head).toContain(`X-Request-Id: ${problem.requestId}`);
  });

  it('a malformed chunk', async () => {
    const head = request('POST /api/v2/login-codes HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked');
    const answer = await exchange(`${head}ZZ\r\n`);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('application/problem+json');
  });

  it('HTTP/1.1 without Host, but not HTTP/1.0', async () => {
    const answer = await exchange(request(`GET ${path} HTTP/1.1`, 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"malformed_request"');
    expect(await exchange(request(`GET ${path} HTTP/1.0`))).not.toContain('malformed_request');
  });
});

describe('a path', () => {
  it.each([path, `${path}/`, path.replace('health', 'HEALTH')])('is found as %s', async (asked) => {
    expect((await fetch(api.baseUrl + asked)).status).toBe(200);
  });

  it.each([`${path}/more`, `/${path}`, path.replace('/live', '//live')])('is not %s', async (asked) => {
    expect((await fetch(api.baseUrl + asked)).status).toBe(404);
  });
});
