import { findErasureOfMember, type PersonErasureRow } from '../../db/person-data/person-erasures.js';
import type { CommandContext } from '../kernel/context.js';
import { NotFound } from '../lib/errors.js';

/** The erasure of a member. @throws Forbidden, NotFound */
export async function getErasure({ db, actor }: CommandContext, memberId: number): Promise<PersonErasureRow> {
  actor.require('person_data:erase');
  const found = await db.readInWorkspace(actor.workspaceId, (tx) => findErasureOfMember(tx, memberId));
  if (found === undefined) throw new NotFound('Erasure');
  return found;
}
