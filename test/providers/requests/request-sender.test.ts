import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRequestSender } from '../../../providers/requests/create-request-sender.js';
import type { ServiceRequest } from '../../../providers/requests/request-sender.js';
import { makeSelfSigned } from '../../support/webhooks/self-signed.js';
import { startRawReceiver, startTlsReceiver } from '../webhook/receivers.js';

const certificate = makeSelfSigned(['localhost']);

async function send(handler: RequestListener, more: Partial<ServiceRequest> = {}) {
  const port = await startTlsReceiver(certificate, handler);
  return sendTo(`https://localhost:${port}/v1`, more);
}

function sendTo(url: string, more: Partial<ServiceRequest> = {}, allowedNetworks = ['127.0.0.0/8']) {
  const sender = createRequestSender({ allowedNetworks, ca: certificate.cert });
  onTestFinished(() => sender.close());
  const request = { method: 'GET', url, headers: {}, body: undefined, timeoutMs: 2_000, retainBytes: 64 };
  return sender.send({ ...request, ...more });
}

describe('RequestSender', () => {
  it('sends method, headers and body, and returns the answer', async () => {
    let seen: unknown;
    const answer = await send(
      async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        const { method, url, headers } = request;
        seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
        response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"a":1}');
      },
      { method: 'PUT', headers: { Authorization: 'Bearer x' }, body: '{"b":2}' },
    );

    expect(answer).toEqual({
      kind: 'answered',
      status: 201,
      contentType: 'application/json',
      isComplete: true,
      isEncoded: false,
      body: '{"a":1}',
    });
    expect(seen).toMatchObject({
      method: 'PUT',
      url: '/v1',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json', 'content-length': '7' },
      body: '{"b":2}',
    });
  });

  it('sends no body and no length with a GET', async () => {
    let headers: object = {};
    await send((request, response) => {
      headers = request.headers;
      response.end();
    });
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  it('follows no redirect', async () => {
    const answer = await send((_, response) =>
      response.writeHead(302, { Location: 'https://localhost:1/' }).end(),
    );
    expect(answer).toMatchObject({ kind: 'answered', status: 302 });
  });

  it('says that a body did not come to its end, and that one is encoded', async () => {
    const half = await send((request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half', () => request.socket.destroy());
    });
    expect(half).toMatchObject({ status: 200, isComplete: false, body: 'half' });
    const encoded = await send((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x');
    });
    expect(encoded).toMatchObject({ isEncoded: true, isComplete: true, body: '' });
  });

  it('keeps a part of a body without end', async () => {
    const answer = await send((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(1_024)));
      };
      response.on('drain', more);
      more();
    });
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(64) });
  });

  it('says that a request may have arrived whose answer does not come', async () => {
    expect(await send(() => undefined, { timeoutMs: 300 })).toEqual({
      kind: 'failed',
      code: 'timeout',
      mayHaveArrived: true,
    });
    expect(await send((request) => request.socket.destroy())).toMatchObject({ mayHaveArrived: true });
  });

  it('says that a request has not arrived without a connection, and sends nothing without TLS', async () => {
    expect(await sendTo('https://localhost:1/')).toMatchObject({
      code: 'connection_refused',
      mayHaveArrived: false,
    });
    const raw = await startRawReceiver(() => undefined);
    expect(await sendTo(raw.url)).toMatchObject({ code: 'https_required', mayHaveArrived: false });
    const other = await startTlsReceiver(makeSelfSigned(['localhost']), () => undefined);
    expect(await sendTo(`https://localhost:${other}/`)).toMatchObject({
      code: 'tls_failed',
      mayHaveArrived: false,
    });
  });

  it.each([
    'https://127.0.0.1/',
    'https://localhost/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://10.0.0.1/',
  ])('connects to no address that is not public: %s', async (url) => {
    const answer = await sendTo(url, {}, []);
    expect(answer).toEqual({ kind: 'failed', code: 'address_refused', mayHaveArrived: false });
  });
});
