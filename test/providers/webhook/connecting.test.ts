import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requestTo, senderTo, startRawReceiver } from './receivers.js';

/** DNS that gives another answer each time, the last one for good. */
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

/** A receiver on every address of this machine. `reached` are those it was reached under. */
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

describe('a name that changes what it means', () => {
  it('is refused once it leads to an address that is', async () => {
    const { port, reached } = await startEverywhere();
    const { resolve } = changing(['127.0.0.2'], ['127.0.0.1']);
    const sender = senderTo({ allowedNetworks: ['127.0.0.2/32'], resolve });
    const request = requestTo(`http://receiver.example:${port}`);
    expect(await sender.post(request)).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(await sender.post(request)).toMatchObject({ kind: 'failed', code: 'address_refused' });
    expect(reached).toEqual(['127.0.0.2']);
  });

  it('is asked for once for a connection, which is to the address that was looked at', async () => {
    const { port, reached } = await startEverywhere();
    const { resolve, asked } = changing(['127.0.0.2'], ['127.0.0.1']);
    const sender = senderTo({ allowedNetworks: ['127.0.0.2/32'], resolve });
    await sender.post(requestTo(`http://receiver.example:${port}`));
    expect(asked).toEqual(['receiver.example']);
    expect(reached).toEqual(['127.0.0.2']);
  });
});

describe('a name with several addresses', () => {
  const allowedNetworks = ['127.0.0.2/31', '::1/128'];

  it('is refused for one of them, whichever comes first', async () => {
    const { port, reached } = await startEverywhere();
    for (const addresses of [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '::ffff:127.0.0.1'],
      ['127.0.0.2', '10.0.0.1'],
    ]) {
      const sender = senderTo({ allowedNetworks, ...changing(addresses) });
      expect(await sender.post(requestTo(`http://receiver.example:${port}`))).toMatchObject({
        kind: 'failed',
        code: 'address_refused',
      });
    }
    expect(reached).toEqual([]);
  });

  it('is reached under one that answers', async () => {
    const receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    // Nobody listens on the first ones: the receiver is on 127.0.0.1 alone.
    const sender = senderTo({
      allowedNetworks: ['127.0.0.0/8', '::1/128'],
      ...changing(['::1', '127.0.0.3', '127.0.0.1']),
    });
    expect(await sender.post(requestTo(`http://receiver.example:${receiver.port}`))).toMatchObject({
      statusCode: 200,
    });
  });

  it('cannot be reached where none of them answers', async () => {
    const receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const sender = senderTo({ allowedNetworks, ...changing(['127.0.0.2', '127.0.0.3']) });
    expect(await sender.post(requestTo(`http://receiver.example:${receiver.port}`))).toMatchObject({
      kind: 'failed',
      code: 'connection_refused',
    });
  });
});

describe('an address in place of a name', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'])(
    '%s is looked at before anything connects',
    async (host) => {
      const { port, reached } = await startEverywhere();
      const sender = senderTo({ allowedNetworks: ['127.0.0.2/32'] });
      expect(await sender.post(requestTo(`http://${host}:${port}`))).toMatchObject({
        kind: 'failed',
        code: 'address_refused',
      });
      expect(reached).toEqual([]);
    },
  );
});

describe('a name that leads nowhere', () => {
  const post = (resolve: () => Promise<LookupAddress[]>, timeoutMs = 5_000) =>
    senderTo({ resolve, timeoutMs }).post(requestTo('http://receiver.example'));

  it('is a failure, whether there is none or nobody can tell', async () => {
    expect(await post(async () => [])).toMatchObject({ kind: 'failed', code: 'dns_failed' });
    expect(await post(() => Promise.reject(new Error('ESERVFAIL')))).toMatchObject({ code: 'dns_failed' });
  });

  it('is waited for until the deadline', async () => {
    expect(await post(() => new Promise(() => undefined), 100)).toMatchObject({ code: 'timeout' });
  });
});

it('an address that cannot be understood is a failure', async () => {
  expect(await senderTo().post({ ...requestTo(''), url: 'nowhere' })).toMatchObject({ code: 'invalid_url' });
});
