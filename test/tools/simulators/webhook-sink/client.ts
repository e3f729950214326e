import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ReceivedWebhook, WebhookSummary } from '../../../../tools/simulators/webhook-sink/sink.js';
import { startWebhookSink } from '../../../../tools/simulators/webhook-sink/start-webhook-sink.js';
import { ask } from '../simulator-client.js';

export type SinkClient = Awaited<ReturnType<typeof startSinkClient>>;

/** Starts the sink; returns it with a sender of webhooks. */
export async function startSinkClient() {
  const { url, close } = await startWebhookSink({ port: 0 });
  const told = async <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    (await ask<T>(url, method, path, body)).body;
  return {
    url,
    close,
    ask: told,
    post: (
      name: string,
      { id = randomUUID(), body = '{}', headers = {} }: { id?: string; body?: string; headers?: object } = {},
    ) =>
      fetch(`${url}/hooks/${name}`, {
        method: 'POST',
        body,
        headers: { 'webhook-id': id, ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(20_000),
      }),
    received: (query = '') => told<ReceivedWebhook[]>('GET', `/deliveries${query}`),
    summaryOf: (name: string) =>
      told<{ came: number; taken: number; webhooks: WebhookSummary[] }>('GET', `/hooks/${name}/summary`),
  };
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
