import { insertNotices } from '../../../db/events/event-rule-notices.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { peopleToMail } from '../../../db/people/people.js';
import type { Tx } from '../../../db/tx.js';
import { refusalOf } from '../../channels/outreach/gate.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { startNoticeRun } from '../../kernel/runs.js';
import { isAdminRole } from '../../kernel/scopes.js';

/** Further admins learn of it from these. */
const maxTold = 50;

/** What a notice is about. */
type About = Omit<Parameters<typeof insertNotices>[2], 'createdAt'>;

/** Tells the admins who accept mail of what concerns the workspace: writes a notice to each, with its run. */
export async function notifyAdmins(tx: Tx, abouts: readonly About[], now: Date): Promise<void> {
  const told = await adminsToNotify(tx, now);
  for (const about of abouts) {
    const notices = await insertNotices(tx, told, { ...about, createdAt: now });
    await Promise.all(notices.map((notice) => startNoticeRun(tx, notice)));
  }
}

/** Reports if there are none. */
async function adminsToNotify(tx: Tx, now: Date): Promise<number[]> {
  const roles = await selectMemberRoles(tx);
  const adminRoleIds = roles.filter(isAdminRole).map(({ id }) => id);
  const people = await peopleToMail(tx, adminRoleIds, maxTold);
  const refusals = await Promise.all(
    people.map(({ id: memberId, email: recipient }) =>
      refusalOf(tx, { purpose: 'notice', channel: 'email', memberId, recipient, now }),
    ),
  );
  const told = people.flatMap(({ id }, index) => (refusals[index] === undefined ? [id] : []));
  if (told.length === 0) {
    reportOccurrence(tx, { kind: 'notice_not_sent', reason: 'nobody_to_tell' });
  }
  return told;
}
