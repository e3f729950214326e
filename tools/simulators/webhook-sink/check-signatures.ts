import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type SignatureCheck = 'unchecked' | 'valid' | 'missing' | 'wrong' | 'stale';

const toleranceSeconds = 300;

/** Checks Standard Webhooks' header and `X-Webhook-Signature`; of several signatures in one, one must be valid. */
export function checkSignatures(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string | null,
  now: Date,
): SignatureCheck {
  if (secret === null) return 'unchecked';
  const standard = standardSignatures(headers, body, secret);
  const plain = plainSignatures(headers, body, secret);
  if (standard === undefined || plain === undefined) return 'missing';
  for (const { given, expected, at } of [standard, plain]) {
    if (!given.includes(expected)) return 'wrong';
    if (!(Math.abs(now.getTime() / 1000 - at) <= toleranceSeconds)) return 'stale';
  }
  return 'valid';
}

function standardSignatures(headers: IncomingHttpHeaders, body: Buffer, secret: string) {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (id === undefined || timestamp === undefined || signature === undefined) return undefined;
  const [, encoded] = /^whsec_(.*)$/.exec(secret) ?? [];
  const key = encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return { given: signature.split(' '), expected: `v1,${hmac.digest('base64')}`, at: Number(timestamp) };
}

function plainSignatures(headers: IncomingHttpHeaders, body: Buffer, secret: string) {
  const parts = headerOf(headers, 'x-webhook-signature')?.split(',') ?? [];
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2);
  if (timestamp === undefined) return undefined;
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body);
  return { given: parts, expected: `v1=${hmac.digest('hex')}`, at: Number(timestamp) };
}

/** The value of a header; a repeated header yields all its values. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
