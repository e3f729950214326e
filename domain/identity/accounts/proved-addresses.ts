import type { AccountRow } from '../../../db/identity/accounts.js';

/** The addresses that an account has proved; null where it has none in a channel, or has not proved it. */
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
