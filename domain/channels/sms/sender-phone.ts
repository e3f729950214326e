import { normalizePhone } from '../../lib/phone.js';

/** The shape of E.164, whatever the plan of the country says. Shorter ones are short codes. */
const written = /^\+[1-9]\d{6,14}$/;

/**
 * The phone number from which an SMS came; null for a short code or a name. A number that no table knows is kept as it came: the
 * carrier vouches for it, and plans change faster than tables of them.
 */
export function senderPhone(from: string): string | null {
  const text = from.trim();
  return normalizePhone(text, 'US') ?? (written.test(text) ? text : null);
}
