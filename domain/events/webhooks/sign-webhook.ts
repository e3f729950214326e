import { createHmac } from 'node:crypto';

export interface SigningInput {
  /** The event's uuid, the same for all deliveries and attempts. */
  eventUuid: string;
  /** The exact request body. */
  body: string;
  /** All valid secrets, newest first; without any, the delivery is not signed. */
  secrets: readonly string[];
  /** The time of sending: receivers reject requests older than five minutes. */
  at: Date;
}

/** The prefix of base64 secrets in Standard Webhooks. */
export const secretPrefix = 'whsec_';

/**
 * Returns the headers of one attempt. Signs in two schemes, with one signature per secret: Standard Webhooks
 * (https://www.standardwebhooks.com), and `X-Webhook-Signature`, which takes a few lines to verify in any language.
 */
export function webhookHeaders({ eventUuid, body, secrets, at }: SigningInput): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers = {
    'webhook-id': eventUuid,
    'webhook-timestamp': timestamp,
    'X-Webhook-Timestamp': timestamp,
  };
  if (secrets.length === 0) return headers;
  const standard = secrets.map(
    (secret) => `v1,${hmac(keyOf(secret), `${eventUuid}.${timestamp}.${body}`).toString('base64')}`,
  );
  const plain = secrets.map((secret) => `v1=${hmac(secret, `${timestamp}.${body}`).toString('hex')}`);
  return {
    ...headers,
    'webhook-signature': standard.join(' '),
    'X-Webhook-Signature': [`t=${timestamp}`, ...plain].join(','),
  };
}

/** Decodes the part after the prefix; a secret without the prefix is used as raw bytes. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
