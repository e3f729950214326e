import type { AccountRow } from '../../../db/identity/accounts.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { InvalidInput, Unauthenticated } from '../../lib/errors.js';
import { checkLocaleAndTimezone } from '../workspaces/workspace-attributes.js';

type AccountAttributes = Partial<
  Pick<AccountRow, 'tosAccepted' | 'optedOut' | 'locale' | 'timezone'> & { name: string }
>;

/** Changes the account of the caller; fields that are left out stay unchanged. @throws InvalidInput */
export async function updateAccount(
  { db, clock, account }: AccountContext,
  input: AccountAttributes,
): Promise<AccountRow> {
  const changes = { ...input, updatedAt: clock.now() };
  if (input.name !== undefined) changes.name = input.name.trim();
  const errors = checkLocaleAndTimezone(changes);
  if (errors.length > 0) throw InvalidInput.fields(errors);

  const updated = await db.identity.accounts.update(account.id, changes);
  if (updated === undefined) throw new Unauthenticated();
  return updated;
}
