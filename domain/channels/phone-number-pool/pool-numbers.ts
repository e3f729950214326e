import type { Database } from '../../../db/database.js';
import type { PoolNumberRow, PoolNumberSort } from '../../../db/identity/phone-number-pool.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { normalizePhone } from '../../lib/phone.js';

/** Lists the numbers that the workspace can take from the pool. @throws Forbidden */
export async function listAvailableNumbers(
  { actor, db }: CommandContext,
  page: PageRequest<PoolNumberSort>,
): Promise<PageOf<PoolNumberRow>> {
  actor.require('phone_numbers:write');
  return db.identity.phoneNumberPool.listAvailable(actor.workspaceId, page);
}

/** Lists the pool, for superusers. @throws Forbidden */
export async function listPoolNumbers(
  context: AccountContext,
  query: PageRequest<PoolNumberSort> & { search?: string; workspaceUuid?: string; inUse?: boolean },
): Promise<PageOf<PoolNumberRow>> {
  requireSuperuser(context);
  return context.db.identity.phoneNumberPool.list(query, query);
}

/** Adds a number, for one workspace or, without `workspaceUuid`, for any. @throws Forbidden, InvalidInput, Conflict */
export async function addPoolNumber(
  context: AccountContext,
  input: { number: string; workspaceUuid?: string | null },
): Promise<PoolNumberRow> {
  requireSuperuser(context);
  const { db, clock } = context;
  // Requires E.164, because no default country applies here.
  const number = input.number.trim().startsWith('+') ? normalizePhone(input.number, 'US') : null;
  if (number === null) throw InvalidInput.field('/number', 'must be a phone number in E.164 (+12025550123)');
  const workspaceId = await requireAssignable(db, input.workspaceUuid ?? null);
  const row = { number, workspaceId, source: 'superuser', createdAt: clock.now() } as const;
  const added = await db.identity.phoneNumberPool.add(row);
  if (added === undefined) throw new Conflict('number_in_pool', 'The number is in the pool already.');
  return added;
}

/**
 * Assigns a number to one workspace, or to any. A workspace that uses the number keeps it until it deletes it.
 * @throws Forbidden, NotFound, InvalidInput, Conflict if another workspace or the login codes use the number
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
    const found = changeable(await pool.lockById(id, tx));
    const { usedByWorkspaceId } = found;
    if (workspaceId !== null && usedByWorkspaceId !== null && usedByWorkspaceId !== workspaceId) {
      throw new Conflict('phone_number_in_use', 'The number is a phone number of another workspace.');
    }
    await pool.assign(id, workspaceId, tx);
    return { ...found, workspaceId, workspaceUuid };
  });
}

/** Removes a number from the pool. @throws Forbidden, NotFound, Conflict if a workspace or the login codes use it */
export async function removePoolNumber(context: AccountContext, id: number): Promise<void> {
  requireSuperuser(context);
  const { db } = context;
  await db.inIdentity(async (tx) => {
    const found = changeable(await db.identity.phoneNumberPool.lockById(id, tx));
    if (found.usedByWorkspaceId !== null) {
      throw new Conflict('phone_number_in_use', 'The number is a phone number of a workspace.');
    }
    await db.identity.phoneNumberPool.remove(id, tx);
  });
}

/** @throws NotFound, Conflict if login codes are sent from the number, which only the setting can change */
function changeable(found: PoolNumberRow | undefined): PoolNumberRow {
  if (found === undefined) throw new NotFound('Phone number');
  if (found.purpose !== 'login_codes') return found;
  throw new Conflict('login_number', 'Login codes are sent from this number (LOGIN_SMS_FROM).');
}

async function requireAssignable(db: Database, workspaceUuid: string | null): Promise<number | null> {
  if (workspaceUuid === null) return null;
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw InvalidInput.field('/workspaceUuid', 'There is no such workspace.');
  return workspace.id;
}
