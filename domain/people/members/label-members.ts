import { pinMemberLabels } from '../../../db/people/member-labels.js';
import { pinMemberRoles } from '../../../db/people/member-roles.js';
import { lockMembers } from '../../../db/people/write-members.js';
import type { CommandContext } from '../../kernel/context.js';
import { unknownLabels } from '../../kernel/labels.js';
import { Forbidden, InvalidInput } from '../../lib/errors.js';
import { memberLabels } from '../member-labels/member-labels.js';
import { requireManages } from '../member-roles/role-grants.js';
import { changeMembers } from './change-member.js';

export interface MembersToLabel {
  memberIds: readonly number[];
  /** Labels that each of the members gets. */
  labelIds?: readonly number[] | undefined;
  /** Labels that each of them loses. */
  removedLabelIds?: readonly number[] | undefined;
}

interface LabelledMembers {
  updated: number;
  unchanged: number;
  failed: { memberId: number; message: string }[];
}

/**
 * Gives labels to many members and takes others from them. A member that is refused keeps its own, and the others are
 * changed. @throws Forbidden, InvalidInput if a label does not exist
 */
export async function labelMembers(
  { db, clock, actor }: CommandContext,
  { memberIds, labelIds = [], removedLabelIds = [] }: MembersToLabel,
): Promise<LabelledMembers> {
  actor.require('members:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const [labels, roles, members] = await Promise.all([
      pinMemberLabels(tx, [...labelIds, ...removedLabelIds]),
      pinMemberRoles(tx),
      lockMembers(tx, memberIds),
    ]);
    const errors = [
      ...unknownLabels(memberLabels, labelIds, labels),
      ...unknownLabels(memberLabels, removedLabelIds, labels, 'removedLabelIds'),
    ];
    if (errors.length > 0) throw InvalidInput.fields(errors);
    const refusals = new Map(
      memberIds.map((id) => {
        const member = members.find((one) => one.id === id);
        return [
          id,
          member === undefined
            ? 'There is no such member.'
            : refusalOf(() => requireManages(actor, roles, member)),
        ];
      }),
    );
    const changed = await changeMembers(
      tx,
      { now: clock.now() },
      members
        .filter(({ id }) => refusals.get(id) === undefined)
        .map((member) => ({ member, changes: {}, moreLabelIds: labelIds, fewerLabelIds: removedLabelIds })),
    );
    return {
      updated: changed.filter(({ status }) => status === 'updated').length,
      unchanged: changed.filter(({ status }) => status === 'unchanged').length,
      failed: [...refusals].flatMap(([memberId, message]) =>
        message === undefined ? [] : [{ memberId, message }],
      ),
    };
  });
}

function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Forbidden) return error.message;
    throw error;
  }
}
