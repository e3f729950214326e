import { findMemberLabel, type MemberLabelRow } from '../../../db/people/member-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Returns a label. Every member may read it. @throws NotFound */
export async function getMemberLabel({ db, actor }: CommandContext, id: number): Promise<MemberLabelRow> {
  const label = await db.readInWorkspace(actor.workspaceId, (tx) => findMemberLabel(tx, id));
  if (label === undefined) throw new NotFound('Member label');
  return label;
}
