import {
  type MemberLabelRow,
  type MemberLabelValues,
  updateMemberLabel as writeLabel,
} from '../../../db/people/member-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { reportingTakenSlug } from './reporting-taken-slug.js';

/**
 * Changes a label for all members that have it. This does not count as an update of these members and sends no
 * `member:updated` (docs/decisions/0042).
 *
 * @throws NotFound, Forbidden, InvalidInput if the slug is taken
 */
export async function updateMemberLabel(
  { db, clock, actor }: CommandContext,
  id: number,
  input: Partial<MemberLabelValues>,
): Promise<MemberLabelRow> {
  actor.require('roles:write');
  const changes = { ...input, ...(input.color === undefined ? {} : { color: input.color.toLowerCase() }) };
  const updated = await reportingTakenSlug(() =>
    db.inWorkspace(actor.workspaceId, (tx) => writeLabel(tx, id, changes, clock.now())),
  );
  if (updated === undefined) throw new NotFound('Member label');
  return updated;
}
