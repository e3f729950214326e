import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '../../../db/database.js';
import type { MemberDetails } from '../../../db/people/members.js';

/**
 * Sees to it that there is an account behind a member that the transaction holds. Where there is none, one is made for
 * this member alone: without addresses, which nobody has proved, and without a look at accounts elsewhere (design section
 * 8). While it stands alone it says what its workspace says of the person; an account that somebody signed in to is
 * theirs. Terms are accepted in this workspace, and nowhere else.
 *
 * @returns the uuid by which this workspace alone knows the account
 */
export async function linkedAccount(
  { identity: { accounts, memberships } }: Pick<Database, 'identity'>,
  tx: Tx,
  member: MemberDetails,
  { tosAccepted, now }: { tosAccepted: boolean; now: Date },
): Promise<string> {
  const { workspaceId } = tx;
  const { id: memberId, name } = member;
  const told = { name, ...(member.locale === null ? {} : { locale: member.locale }) };
  const membership = await memberships.findByMember(workspaceId, memberId, tx);
  if (membership === undefined) {
    const origin = { standsAlone: true, signupWorkspaceId: workspaceId, createdAt: now, updatedAt: now };
    const account = await accounts.create({ ...told, ...origin }, tx);
    const accountAlias = randomUUID();
    await memberships.add(
      { workspaceId, memberId, accountId: account.id, accountAlias, tosAccepted, createdAt: now },
      tx,
    );
    return accountAlias;
  }

  if (tosAccepted && !membership.tosAccepted) await memberships.acceptTerms(workspaceId, memberId, tx);
  const account = await accounts.findById(membership.accountId, tx);
  if (account === undefined) throw new Error(`member ${memberId} has a membership without an account`);
  const isSame = told.name === account.name && (told.locale ?? account.locale) === account.locale;
  if (account.standsAlone && !isSame) await accounts.update(account.id, { ...told, updatedAt: now }, tx);
  return membership.accountAlias;
}
