import type { PoolNumberRow } from '../../../db/identity/phone-number-pool.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { refuseLoginNumber } from './refuse-login-number.js';
import { requireAssignable } from './require-assignable.js';

/**
 * Assigns a number to one workspace, or to none, so that any may take it. A workspace that uses the number keeps it
 * until it deletes it.
 *
 * @throws Forbidden, NotFound, InvalidInput, Conflict if another workspace uses the number, or if login codes are sent
 * from it
 */
export async function assignPoolNumber(
  context: AccountContext,
  id: number,
  workspaceUuid: string | null,
): Promise<PoolNumberRow> {
  requireSuperuser(context);
  const { db } = context;
  const workspaceId = await requireAssignable(db, workspaceUuid);
  return db.inIdentity(async (tx) => {
    const pool = db.identity.phoneNumberPool;
    const found = await pool.lockById(id, tx);
    if (found === undefined) throw new NotFound('Phone number');
    refuseLoginNumber(found);
    const { usedByWorkspaceId } = found;
    if (workspaceId !== null && usedByWorkspaceId !== null && usedByWorkspaceId !== workspaceId) {
      throw new Conflict('phone_number_in_use', 'The number is a phone number of another workspace.');
    }
    await pool.assign(id, workspaceId, tx);
    return { ...found, workspaceId, workspaceUuid };
  });
}
