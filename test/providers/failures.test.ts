import http from 'node:http';
import { expect, it } from 'vitest';
import { faultCodeOf } from '../../providers/failures.js';
import { closedPort } from './misbehaving-server.js';

const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
};

it.each([
  [
    'a protocol that the agent does not speak',
    'ERR_INVALID_PROTOCOL',
    () => http.request({ protocol: 'https:', agent: http.globalAgent }),
  ],
  ['a header with a line break', 'ERR_INVALID_CHAR', () => http.request({ headers: { a: 'b\nc' } })],
  ['a port that there is not', 'ERR_SOCKET_BAD_PORT', () => http.request({ port: 70_000 })],
  ['an address that is none, behind the error of a fetch', 'ERR_INVALID_URL', () => fetch('http://')],
])('%s is a fault of the program', async (_what, code, work) => {
  expect(faultCodeOf(await thrownBy(work))).toBe(code);
});

it.each([
  ['a refused connection', async () => fetch(`http://127.0.0.1:${await closedPort()}`)],
  ['an unreadable answer', () => JSON.parse('<html>')],
  ['an error without a code', () => (undefined as unknown as { choices: unknown }).choices],
  [
    'a certificate of another host',
    () => {
      throw Object.assign(new Error('names differ'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    },
  ],
])('%s is none', async (_what, work) => {
  const error = await thrownBy(work);
  expect(error).toBeInstanceOf(Error);
  expect(faultCodeOf(error)).toBeUndefined();
});
