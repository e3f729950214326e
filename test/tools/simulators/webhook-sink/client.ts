import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ReceivedWebhook, WebhookSummary } from '../../../../tools/simulators/webhook-sink/sink.js';
import { startWebhookSink } from '../../../../tools/simulators/webhook-sink/start-webhook-sink.js';
import { ask } from '../simulator-client.js';

/** The sink, and a sender of webhooks. */
export interface SinkClient {
  url: string;
  ask: <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  /** Posts a webhook and returns what it was answered. */
  post(name: string, webhook?: { id?: string; body?: string; headers?: object }): Promise<Response>;
  received(query?: string): Promise<ReceivedWebhook[]>;
  summaryOf(name: string): Promise<{ came: number; taken: number; webhooks: WebhookSummary[] }>;
  close(): Promise<void>;
}

export async function startSinkClient(): Promise<SinkClient> {
  const sink = await startWebhookSink({ port: 0 });
  const client: SinkClient = {
    url: sink.url,
    ask: async <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
      (await ask<T>(sink.url, method, path, body)).body,
    post: (name, { id = randomUUID(), body = '{}', headers = {} } = {}) =>
      fetch(`${sink.url}/hooks/${name}`, {
        method: 'POST',
        body,
        headers: { 'webhook-id': id, ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(20_000),
      }),
    received: (query = '') => client.ask('GET', `/deliveries${query}`),
    summaryOf: (name) => client.ask('GET', `/hooks/${name}/summary`),
    close: () => sink.close(),
  };
  return client;
}

/** The headers of a webhook, signed by the library of Standard Webhooks and by the second scheme. */
export function signedHeaders(secret: string, id: string, body: string, at = new Date()) {
  const seconds = Math.floor(at.getTime() / 1000);
  const plain = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return {
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
    'x-webhook-signature': `t=${seconds},v1=${plain}`,
  };
}
