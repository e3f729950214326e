import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf, requestTo, senderTo, startRawReceiver } from './receivers.js';

/** A DNS that returns the next answer for each look-up, and the last one from then on. */
function changing(...answers: string[][]) {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname: string): Promise<LookupAddress[]> => {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(hostname);
      return answer.map((address) => ({ address, family: isIP(address) }));
    },
  };
}

/** A receiver on every address of this machine. `reached` lists the addresses that requests arrived at. */
async function startEverywhere() {
  const reached: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    reached.push(request.socket.localAddress);
    response.setHeader('connection', 'close');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, reached };
}

describe('post to a name whose addresses change', () => {
  it('refuses the connection once the name has a forbidden address', async () => {
    const { port, reached } = await startEverywhere();
    const { resolve } = changing(['127.0.0.2'], ['127.0.0.1']);
    const sender = senderTo({ allowedNetworks: ['127.0.0.2/32'], resolve });
    const url = `http://receiver.example:${port}`;
    expect(await sender.post(requestTo(url))).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(await failureOf(sender, url)).toBe('address_refused');
    expect(reached).toEqual(['127.0.0.2']);
  });

  it('looks the name up once per connection, and connects to the address that was checked', async () => {
    const { port, reached } = await startEverywhere();
    const { resolve, asked } = changing(['127.0.0.2'], ['127.0.0.1']);
    const sender = senderTo({ allowedNetworks: ['127.0.0.2/32'], resolve });
    await sender.post(requestTo(`http://receiver.example:${port}`));
    expect(asked).toEqual(['receiver.example']);
    expect(reached).toEqual(['127.0.0.2']);
  });
});

describe('post to a name with several addresses', () => {
  const allowedNetworks = ['127.0.0.2/31', '::1/128'];

  it('refuses the connection if any address is forbidden, in any order', async () => {
    const { port, reached } = await startEverywhere();
    for (const addresses of [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '::ffff:127.0.0.1'],
      ['127.0.0.2', '10.0.0.1'],
    ]) {
      const sender = senderTo({ allowedNetworks, ...changing(addresses) });
      expect(await failureOf(sender, `http://receiver.example:${port}`)).toBe('address_refused');
    }
    expect(reached).toEqual([]);
  });

  it('connects to an address that answers', async () => {
    const receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    // The receiver listens on 127.0.0.1 only, so the first two addresses refuse the connection.
    const { resolve } = changing(['::1', '127.0.0.3', '127.0.0.1']);
    const sender = senderTo({ allowedNetworks: ['127.0.0.0/8', '::1/128'], resolve });
    const answer = await sender.post(requestTo(`http://receiver.example:${receiver.port}`));
    expect(answer).toMatchObject({ statusCode: 200 });
  });

  it('fails with connection_refused when no address answers', async () => {
    const receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const sender = senderTo({ allowedNetworks, ...changing(['127.0.0.2', '127.0.0.3']) });
    expect(await failureOf(sender, `http://receiver.example:${receiver.port}`)).toBe('connection_refused');
  });
});

describe('post to an IP address', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'])(
    'checks %s before it connects',
    async (host) => {
      const { port, reached } = await startEverywhere();
      const sender = senderTo({ allowedNetworks: ['127.0.0.2/32'] });
      expect(await failureOf(sender, `http://${host}:${port}`)).toBe('address_refused');
      expect(reached).toEqual([]);
    },
  );
});

describe('post to a name without an address', () => {
  it.each<[string, string, () => Promise<LookupAddress[]>]>([
    ['dns_failed if the name does not exist', 'dns_failed', async () => []],
    ['dns_failed if the look-up fails', 'dns_failed', () => Promise.reject(new Error('ESERVFAIL'))],
    ['timeout if the look-up takes longer than the deadline', 'timeout', () => new Promise(() => undefined)],
  ])('fails with %s', async (_what, code, resolve) => {
    expect(await failureOf(senderTo({ resolve, timeoutMs: 300 }), 'http://receiver.example')).toBe(code);
  });
});

it('post fails with invalid_url for a URL that cannot be parsed', async () => {
  expect(await senderTo().post({ ...requestTo(''), url: 'nowhere' })).toMatchObject({ code: 'invalid_url' });
});
