import type { AccountRow } from '../../../db/identity/accounts.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { type FieldError, InvalidInput, Unauthenticated } from '../../lib/errors.js';
import { canonicalLocale, isTimezone } from '../../lib/locales.js';

type AccountAttributes = Partial<
  Pick<AccountRow, 'tosAccepted' | 'optedOut' | 'locale' | 'timezone'> & { name: string }
>;

/** Changes the account of the caller; fields that are left out stay unchanged. @throws InvalidInput */
export async function updateAccount(
  { db, clock, account }: AccountContext,
  input: AccountAttributes,
): Promise<AccountRow> {
  const changes = { ...input, updatedAt: clock.now() };
  const errors: FieldError[] = [];
  if (input.name !== undefined) changes.name = input.name.trim();
  if (input.locale !== undefined) {
    const locale = canonicalLocale(input.locale);
    if (locale === null) errors.push({ pointer: '/locale', message: 'must be a language tag such as en-US' });
    else changes.locale = locale;
  }
  if (input.timezone !== undefined && !isTimezone(input.timezone)) {
    errors.push({ pointer: '/timezone', message: 'must be a time zone such as Europe/Paris' });
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);

  const updated = await db.identity.accounts.update(account.id, changes);
  if (updated === undefined) throw new Unauthenticated();
  return updated;
}
