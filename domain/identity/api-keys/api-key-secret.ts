import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bodyLength = 30;
const checksumLength = 6;
const form = new RegExp(`^wes_[0-9A-Za-z]{${bodyLength + checksumLength}}$`);

export interface ApiKeySecret {
  /** The whole key. Shown once, never stored. */
  secret: string;
  /** The first eight characters after `wes_`: what a person recognises it by. */
  prefix: string;
  hash: Buffer;
}

/**
 * Makes a key: `wes_`, 30 random base62 characters (178 bits) and 6 of checksum, so that scanners find lost
 * keys and a mistyped one is refused without asking the database.
 */
export function createApiKeySecret(): ApiKeySecret {
  const body = Array.from({ length: bodyLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  const secret = `wes_${body}${checksum(`wes_${body}`)}`;
  return { secret, prefix: body.slice(0, 8), hash: hashApiKey(secret) };
}

/** Whether this can be a key at all: form and checksum. */
export function isWellFormedApiKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** What is stored. A fast hash will do: 178 random bits cannot be guessed. */
export function hashApiKey(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
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
