import { createHmac } from 'node:crypto';

export interface SigningInput {
  /** The event's: the same however often and to whomever it is delivered. */
  eventUuid: string;
  /** Exactly what is sent. */
  body: string;
  /** All that are valid now, newest first; with none the delivery goes out unsigned. */
  secrets: readonly string[];
  /** When it is sent: receivers refuse what is older than five minutes. */
  at: Date;
}

/** Before a secret in base64, as Standard Webhooks has them. */
export const secretPrefix = 'whsec_';

/**
 * The headers of one attempt. Two ways of signing side by side, one signature for each secret: Standard Webhooks
 * (https://www.standardwebhooks.com), and `X-Webhook-Signature`, which is a few lines in any language.
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

/** What stands behind the prefix, decoded; without it the secret's own bytes. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
