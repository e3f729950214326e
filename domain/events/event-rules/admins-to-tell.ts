import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { peopleToMail } from '../../../db/people/people.js';
import type { Tx } from '../../../db/tx.js';
import { refusalOf } from '../../channels/outreach/gate.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { isAdminRole } from '../../kernel/scopes.js';

/** Further admins learn of it from these. */
const mostTold = 50;

/** The members who are told of what concerns the workspace: admins who accept mail. Reports if there are none. */
export async function adminsToTell(tx: Tx, now: Date): Promise<number[]> {
  const roles = await selectMemberRoles(tx);
  const adminRoleIds = roles.filter(isAdminRole).map(({ id }) => id);
  const people = await peopleToMail(tx, adminRoleIds, mostTold);
  const refusals = await Promise.all(
    people.map(({ id: memberId, email: recipient }) =>
      refusalOf(tx, { purpose: 'notice', channel: 'email', memberId, recipient, now }),
    ),
  );
  const told = people.flatMap(({ id }, index) => (refusals[index] === undefined ? [id] : []));
  if (told.length === 0) {
    reportOccurrence({ kind: 'notice_not_sent', workspaceId: tx.workspaceId, reason: 'nobody_to_tell' });
  }
  return told;
}
