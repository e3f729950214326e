import type { AccountRow } from '../../../db/identity/accounts.js';

/** The proved addresses of an account; null for a channel without an address or with an unproved one. */
export function provedAddresses({
  email,
  phone,
  emailVerifiedAt,
  phoneVerifiedAt,
}: AccountRow): Record<'email' | 'phone', string | null> {
  return {
    email: emailVerifiedAt === null ? null : email,
    phone: phoneVerifiedAt === null ? null : phone,
  };
}
