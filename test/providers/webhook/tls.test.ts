import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect, it, vi } from 'vitest';
import { makeSelfSigned } from '../../support/webhooks/self-signed.js';
import { failureOf, requestTo, senderTo, startRawReceiver, startTlsReceiver } from './receivers.js';

const certificate = makeSelfSigned(['receiver.example']);
const resolve = async () => [{ address: '127.0.0.1', family: isIP('127.0.0.1') }];

/** A sender that trusts the certificate, and resolves every name to this machine. */
const trusting = (ca: string = certificate.cert) => senderTo({ requireHttps: true, resolve, ca });

it('post sends to a receiver whose certificate is valid for its name, with SNI', async () => {
  let asked: unknown;
  const port = await startTlsReceiver(certificate, (request, response) => {
    asked = (request.socket as TLSSocket & { servername?: string }).servername;
    response.end('thank you');
  });
  const answer = await trusting().post(requestTo(`https://receiver.example:${port}`));
  expect(answer).toMatchObject({ kind: 'answered', statusCode: 200, body: 'thank you' });
  expect(asked).toBe('receiver.example');
});

const hour = 3_600_000;
const expired = makeSelfSigned(['receiver.example'], { notAfter: new Date(Date.now() - 1_000) });
const early = makeSelfSigned(['receiver.example'], { notBefore: new Date(Date.now() + hour) });

it.each([
  ['that nobody vouches for', certificate, { requireHttps: true, resolve }],
  ['for another name', makeSelfSigned(['other.example']), undefined],
  ['that has expired', expired, undefined],
  ['that is not valid yet', early, undefined],
])('post sends nothing to a receiver with a certificate %s', async (_what, own, untrusting) => {
  let requests = 0;
  const port = await startTlsReceiver(own, (_request, response) => {
    requests += 1;
    response.end();
  });
  const sender = untrusting === undefined ? trusting(own.cert) : senderTo(untrusting);
  expect(await failureOf(sender, `https://receiver.example:${port}`)).toBe('tls_failed');
  expect(requests).toBe(0);
});

it('post verifies certificates although NODE_TLS_REJECT_UNAUTHORIZED disables it', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const port = await startTlsReceiver(certificate, (_request, response) => response.end());
  const sender = senderTo({ requireHttps: true, resolve });
  const code = await failureOf(sender, `https://receiver.example:${port}`).finally(() => vi.unstubAllEnvs());
  expect(code).toBe('tls_failed');
});

it.each<[string, string, (socket: Socket) => void]>([
  ['does not speak TLS', 'tls_failed', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ['ends the connection during the handshake', 'connection_reset', (socket) => socket.destroy()],
])('post to a receiver that %s fails with %s', async (_what, code, onRequest) => {
  const { port } = await startRawReceiver(onRequest);
  expect(await failureOf(trusting(), `https://receiver.example:${port}`)).toBe(code);
});

it('post sends nothing without TLS where TLS is required', async () => {
  const receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  expect(await failureOf(trusting(), `http://receiver.example:${receiver.port}`)).toBe('https_required');
  expect(receiver.connections).toEqual([]);
});

it('post reuses one TLS connection for successive deliveries', async () => {
  const ports = new Set<number | undefined>();
  const port = await startTlsReceiver(certificate, (request, response) => {
    ports.add(request.socket.remotePort);
    response.end();
  });
  const sender = trusting();
  for (let number = 0; number < 3; number += 1) {
    await sender.post(requestTo(`https://receiver.example:${port}`));
  }
  expect(ports.size).toBe(1);
});

it('post reaches a receiver at any of its addresses that answers', async () => {
  const port = await startTlsReceiver(certificate, (_request, response) => response.end('thank you'));
  const addresses = ['::1', '127.0.0.3', '127.0.0.1'].map((address) => ({ address, family: isIP(address) }));
  const sender = senderTo({
    requireHttps: true,
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
    resolve: async () => addresses,
    ca: certificate.cert,
  });
  const answer = await sender.post(requestTo(`https://receiver.example:${port}`));
  expect(answer).toMatchObject({ kind: 'answered', body: 'thank you' });
});
