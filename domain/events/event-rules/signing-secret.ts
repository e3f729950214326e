import { randomBytes } from 'node:crypto';
import { InvalidInput } from '../../lib/errors.js';

const prefix = 'whsec_';
const bytesMade = 32;
const fewestBytes = 24;
const mostBytes = 64;
const form = /^[!-~]{8,256}$/;
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Generates a signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
function makeSigningSecret(): string {
  return prefix + randomBytes(bytesMade).toString('base64');
}

/**
 * Returns the secret to sign with: the given one if it is valid, a generated one if it is absent, none for null.
 *
 * @throws InvalidInput
 */
export function signingSecretFrom(given: string | null | undefined, pointer: string): string | null {
  if (given === null) return null;
  if (given === undefined) return makeSigningSecret();
  if (!form.test(given)) {
    throw InvalidInput.field(pointer, 'A signing secret has 8 to 256 visible ASCII characters.');
  }
  if (given.startsWith(prefix) && !isKey(given.slice(prefix.length))) {
    throw InvalidInput.field(
      pointer,
      `After ${prefix} a signing secret is base64 of ${fewestBytes} to ${mostBytes} bytes.`,
    );
  }
  return given;
}

function isKey(text: string): boolean {
  const { length } = Buffer.from(text, 'base64');
  return base64Form.test(text) && length >= fewestBytes && length <= mostBytes;
}
