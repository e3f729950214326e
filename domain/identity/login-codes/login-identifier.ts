import type { LoginChannel, LoginCodeRow } from '../../../db/identity/models/login-code.js';
import { normalizeEmail } from '../../lib/email.js';
import { InvalidInput } from '../../lib/errors.js';
import { normalizePhone } from '../../lib/phone.js';
import type { LoginSecret } from './login-secret.js';

export interface LoginIdentifier {
  channel: LoginChannel;
  address: string;
}

/** @throws InvalidInput if it cannot be an address, or if not exactly one is given */
export function loginIdentifier(input: { email?: string; phone?: string }): LoginIdentifier {
  if ((input.email === undefined) === (input.phone === undefined)) {
    throw InvalidInput.field('', 'Give either email or phone.');
  }
  if (input.email !== undefined) {
    const email = normalizeEmail(input.email);
    if (email === null) throw InvalidInput.field('/email', 'must be an email address');
    return { channel: 'email', address: email };
  }
  const phone = normalizePhone(input.phone ?? '', '');
  if (phone === null) throw InvalidInput.field('/phone', 'must be a phone number with its country code');
  return { channel: 'phone', address: phone };
}

export function hashIdentifier(secret: LoginSecret, { channel, address }: LoginIdentifier): Buffer {
  return secret.hash(channel, address);
}

/** Whether a code was requested for this address. */
export function isAddressOf(
  address: string,
  { channel, identifierHash }: Pick<LoginCodeRow, 'channel' | 'identifierHash'>,
  secret: LoginSecret,
): boolean {
  return hashIdentifier(secret, { channel, address }).equals(identifierHash);
}
