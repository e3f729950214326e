import type { RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  createWebhookSender,
  type WebhookSenderOptions,
} from '../../../providers/webhook/create-webhook-sender.js';
import type { WebhookRequest, WebhookSender } from '../../../providers/webhook/webhook-sender.js';
import type { SelfSigned } from '../../support/webhooks/self-signed.js';

/** A sender that may send to this machine, until the test ends. */
export function senderTo(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = createWebhookSender({ requireHttps: false, allowedNetworks: ['127.0.0.0/8'], ...options });
  onTestFinished(() => sender.close());
  return sender;
}

/** What the tests send: texts that must turn up nowhere. */
export const privateToken = 'private-token';
export const privateBody = '{"event":"member:updated","member":{"name":"Zoë"}}';

export function requestTo(url: string, more: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    url: `${url}/hooks?token=${privateToken}`,
    headers: { 'webhook-id': '0b7f3a52-6a0c-4b39-9a34-3f2f1f6a9c11' },
    body: privateBody,
    ...more,
  };
}

/** The code of a request that fails; undefined if it is answered. */
export async function failureOf(sender: WebhookSender, url: string): Promise<string | undefined> {
  const told = await sender.post(requestTo(url));
  return told.kind === 'failed' ? told.code : undefined;
}

/**
 * A receiver that does with each connection what the test says, until the test ends. It lists the connections in order.
 * @param onRequest called with what came first on a connection, and how many requests that one has had
 */
export async function startRawReceiver(
  onRequest: (socket: Socket, request: string, count: number) => void,
): Promise<{ url: string; port: number; connections: Socket[] }> {
  const connections: Socket[] = [];
  const server = net.createServer((socket) => {
    connections.push(socket);
    let count = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      count += 1;
      onRequest(socket, chunk.toString('utf8'), count);
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server, connections));
  return { url: `http://127.0.0.1:${port}`, port, connections };
}

/** The same over TLS, with an HTTP server behind. Returns its port. */
export async function startTlsReceiver(certificate: SelfSigned, handler: RequestListener): Promise<number> {
  const connections: Socket[] = [];
  const server = https.createServer(certificate, handler);
  server.on('connection', (socket: Socket) => connections.push(socket));
  server.on('tlsClientError', () => undefined);
  const port = await listen(server);
  onTestFinished(() => close(server, connections));
  return port;
}

/** Writes as fast as it is taken, until the connection ends. */
export function pour(socket: Socket, chunk: string): void {
  const go = () => {
    while (socket.writable && socket.write(chunk)) {
      // On until the socket has enough.
    }
  };
  socket.on('drain', go);
  go();
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: net.Server, connections: Socket[]): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of connections) socket.destroy();
  });
}
