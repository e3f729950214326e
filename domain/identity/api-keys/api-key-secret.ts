import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bodyLength = 30;
const checksumLength = 6;
const form = new RegExp(`^wes_[0-9A-Za-z]{${bodyLength + checksumLength}}$`);

export interface ApiKeySecret {
  /** The whole key. Shown once, never stored. */
  secret: string;
  /** The first eight characters after `wes_`, by which people recognize the key. */
  prefix: string;
  hash: Buffer;
}

/**
 * Creates a key: `wes_`, 30 random base62 characters (178 bits) and a checksum of 6, by which secret scanners find
 * leaked keys and a mistyped key is refused without a query.
 */
export function createApiKeySecret(): ApiKeySecret {
  const body = Array.from({ length: bodyLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  const secret = `wes_${body}${checksum(`wes_${body}`)}`;
  return { secret, prefix: body.slice(0, 8), hash: hashApiKey(secret) };
}

/** Checks the form and the checksum, without a database query. */
export function isWellFormedApiKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The hash that is stored. A fast hash is sufficient, because 178 random bits cannot be guessed. */
export function hashApiKey(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
