import { randomUUID } from 'node:crypto';
import { webhookHeaders } from '../../domain/events/webhooks/sign-webhook.js';
import { createWebhookSender } from '../../providers/webhook/create-webhook-sender.js';

export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
export const anotherSecret = 'chosen-by-the-receiver';

export interface Delivered {
  secrets: readonly string[];
  /** How long ago it was sent: what is negative comes from the future. */
  secondsAgo: number;
  eventUuid: string;
  /** What somebody on the way makes of the headers and the body. */
  alter: (headers: Headers, body: string) => { headers: Headers; body: string };
}

/**
 * Delivers an event as the service does: the same signatures, and the same sender. @returns the status of the answer
 */
export async function deliver(url: string, told: Partial<Delivered> = {}): Promise<number> {
  const { secrets = [secret], secondsAgo = 0, eventUuid = randomUUID() } = told;
  const { alter = (headers, body) => ({ headers, body }) } = told;
  const body = JSON.stringify({ event: 'member:updated', id: eventUuid, member: { name: 'Zoë — ✓' } });
  const at = new Date(Date.now() - secondsAgo * 1_000);
  const sender = createWebhookSender({ requireHttps: false, allowedNetworks: ['127.0.0.0/8'] });
  try {
    const signed = alter(webhookHeaders({ eventUuid, body, secrets, at }), body);
    const answer = await sender.post({ url, ...signed });
    if (answer.kind === 'failed') throw new Error(`the receiver could not be reached: ${answer.code}`);
    return answer.statusCode;
  } finally {
    sender.close();
  }
}

/** What is no delivery of ours, or was one: receivers refuse it. */
export const forgeries: readonly [what: string, told: Partial<Delivered>][] = [
  ['signed with another secret', { secrets: [anotherSecret] }],
  ['not signed at all', { secrets: [] }],
  ['of exactly five minutes ago', { secondsAgo: 300 }],
  ['of an hour ago', { secondsAgo: 3_600 }],
  ['of the future', { secondsAgo: -310 }],
  ['with one byte changed', { alter: (headers, body) => ({ headers, body: body.replace('Zoë', 'Zoé') }) }],
  ['with a byte more', { alter: (headers, body) => ({ headers, body: `${body} ` }) }],
  ['with a newer time put on an old one', { secondsAgo: 400, ...withHeaders(renewed) }],
  ['with signatures of another kind', withHeaders(ofAnotherKind)],
  ['with signatures that are empty', withHeaders(emptied)],
  ...['webhook-signature', 'X-Webhook-Signature'].map((name): [string, Partial<Delivered>] => [
    `without the signatures, but for ${name} without its time`,
    withHeaders(({ [name]: signature = '' }) => ({ [name]: signature.replace(/^t=\d+,/, '') })),
  ]),
];

type Headers = Record<string, string>;

function withHeaders(change: (headers: Headers) => Headers): Pick<Delivered, 'alter'> {
  return { alter: (headers, body) => ({ headers: change(headers), body }) };
}

function ofAnotherKind(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll('v1', 'v0')]),
  );
}

function emptied(headers: Headers): Headers {
  const plain = `t=${headers['webhook-timestamp']},v1=`;
  return { ...headers, 'webhook-signature': 'v1,', 'X-Webhook-Signature': plain };
}

function renewed(headers: Headers): Headers {
  const now = String(Math.floor(Date.now() / 1_000));
  return {
    ...headers,
    'webhook-timestamp': now,
    'X-Webhook-Timestamp': now,
    'X-Webhook-Signature': String(headers['X-Webhook-Signature']).replace(/^t=\d+/, `t=${now}`),
  };
}

/** What receivers take, once. */
export const genuine: readonly [what: string, told: Partial<Delivered>][] = [
  ['of now', {}],
  ['of almost five minutes ago', { secondsAgo: 290 }],
  ['of a clock that is ahead', { secondsAgo: -290 }],
  ['signed with another secret as well, the older', { secrets: [secret, anotherSecret] }],
  ['signed with another secret as well, the newer', { secrets: [anotherSecret, secret] }],
];
