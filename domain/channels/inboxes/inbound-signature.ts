import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signature of a mail, as it is sent with it. */
export interface InboundSignature {
  /** Seconds since 1970, as the sender writes them. */
  timestamp: string;
  /** Those of which one has to be right: a sender may know two secrets during a rotation. */
  signatures: readonly Buffer[];
}

/** An older signature is refused, and one of a time as far ahead. A copy within this time is the same mail. */
export const freshForMs = 300_000;
const maxHeaderLength = 1_000;
const maxSignatures = 5;

/**
 * Reads `t=<seconds>,v1=<HMAC-SHA256 in hexadecimal>`, the scheme of the service's own webhooks (`X-Webhook-Signature`,
 * docs/webhooks.md). Other names are ignored.
 * @returns undefined if it has not this form, or is not of now
 */
export function readSignature(header: string, now: Date): InboundSignature | undefined {
  if (header.length > maxHeaderLength) return undefined;
  const parts = header.split(',').map((part) => {
    const [name = '', ...value] = part.trim().split('=');
    return { name, value: value.join('=') };
  });
  const valuesOf = (wanted: string) => parts.filter(({ name }) => name === wanted).map(({ value }) => value);
  const [timestamp = '', ...further] = valuesOf('t');
  if (!/^\d{1,12}$/.test(timestamp) || further.length > 0) return undefined;
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) >= freshForMs) return undefined;
  const signatures = valuesOf('v1')
    .filter((value) => /^[0-9a-f]{64}$/.test(value))
    .slice(0, maxSignatures)
    .map((value) => Buffer.from(value, 'hex'));
  return signatures.length === 0 ? undefined : { timestamp, signatures };
}

/** Whether one of the secrets has signed `<timestamp>.<mail>`. Takes constant time for each comparison. */
export async function isSigned(
  mail: AsyncIterable<Uint8Array>,
  { timestamp, signatures }: InboundSignature,
  secrets: readonly string[],
): Promise<boolean> {
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(`${timestamp}.`));
  for await (const piece of mail) for (const hmac of expected) hmac.update(piece);
  const right = expected.map((hmac) => hmac.digest());
  return signatures.some((given) => right.some((digest) => timingSafeEqual(given, digest)));
}
