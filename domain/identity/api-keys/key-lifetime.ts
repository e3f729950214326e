import type { AccountCredential } from '../../kernel/account-context.js';
import { Forbidden, InvalidInput } from '../../lib/errors.js';

const dayMs = 86_400_000;
/** The lifetime of a key that is created without an end. */
const usualDays = 365;
const mostDays = 5 * 365;

/**
 * Determines when a key that the credential creates or changes expires.
 *
 * @param wanted undefined or null: in a year, or with the credential if that expires earlier
 * @throws InvalidInput, Forbidden for an end after that of the credential
 */
export function keyEnd(
  wanted: string | null | undefined,
  credential: Pick<AccountCredential, 'expiresAt'>,
  now: Date,
): Date {
  const latest = new Date(now.getTime() + mostDays * dayMs);
  if (wanted == null) {
    const usual = new Date(now.getTime() + usualDays * dayMs);
    return credential.expiresAt !== null && credential.expiresAt < usual ? credential.expiresAt : usual;
  }
  const end = new Date(wanted);
  if (end <= now) throw InvalidInput.field('/expiresAt', 'must be in the future');
  if (end > latest) throw InvalidInput.field('/expiresAt', 'must be within five years');
  if (credential.expiresAt !== null && end > credential.expiresAt) {
    throw new Forbidden('a later end', 'A key cannot expire later than the key that creates or changes it.');
  }
  return end;
}
