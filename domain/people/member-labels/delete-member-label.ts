import { deleteMemberLabel as removeLabel } from '../../../db/people/member-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Deletes a label and removes it from all members. @throws NotFound, Forbidden */
export async function deleteMemberLabel({ db, actor }: CommandContext, id: number): Promise<void> {
  actor.require('roles:write');
  const existed = await db.inWorkspace(actor.workspaceId, (tx) => removeLabel(tx, id));
  if (!existed) throw new NotFound('Member label');
}
