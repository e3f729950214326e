import type { PoolNumberRow } from '../../../db/identity/phone-number-pool.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { normalizePhone } from '../../lib/phone.js';
import { requireAssignable } from './require-assignable.js';

export interface NewPoolNumber {
  number: string;
  /** The only workspace that may take the number; null or absent: any workspace may. */
  workspaceUuid?: string | null;
}

/** Adds a number of the carrier's account to the pool. @throws Forbidden, InvalidInput, Conflict */
export async function addPoolNumber(context: AccountContext, input: NewPoolNumber): Promise<PoolNumberRow> {
  requireSuperuser(context);
  const { db, clock } = context;
  // Requires E.164, because no default country applies here.
  const number = input.number.trim().startsWith('+') ? normalizePhone(input.number, 'US') : null;
  if (number === null) throw InvalidInput.field('/number', 'must be a phone number in E.164 (+12025550123)');
  const workspaceId = await requireAssignable(db, input.workspaceUuid);
  const added = await db.identity.phoneNumberPool.add({
    number,
    workspaceId,
    source: 'superuser',
    createdAt: clock.now(),
  });
  if (added === undefined) throw new Conflict('number_in_pool', 'The number is in the pool already.');
  return added;
}
