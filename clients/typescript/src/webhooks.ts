import type { webhooks } from './schema.js';

/** An event as a receiver gets it; `event` tells which one. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** A request that is not a genuine, recent delivery: answer it with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface VerifyOptions {
  /** Deliveries this old or older are refused, and so are those as far in the future. */
  toleranceSeconds?: number;
  now?: Date;
}

/**
 * Verifies a delivery by Standard Webhooks and returns its event. `body` has to be the bytes as they came.
 * @throws WebhookError
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  body: Uint8Array | string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string') throw new WebhookError(`The header ${name} is missing.`);
    return value;
  };
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ');

  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('The timestamp is invalid.');
  const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
  if (Math.abs(ageSeconds) >= toleranceSeconds) throw new WebhookError('The delivery is too old or too new.');

  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);

  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), hmac, false, ['verify']);
  for (const signature of signatures) {
    if (!signature.startsWith('v1,')) continue;
    const bytes = decoded(signature.slice('v1,'.length));
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
      return JSON.parse(new TextDecoder().decode(content));
    }
  }
  throw new WebhookError('No signature is valid.');
}

/** A secret that does not begin with `whsec_` is itself the key. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (secret === '') throw new Error('The secret is empty.');
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret);
  const key = decoded(secret.slice('whsec_'.length));
  if (key === undefined) throw new Error('The secret is not base64 after whsec_.');
  return key;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
