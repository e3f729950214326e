import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '../../../db/database.js';
import type { MemberDetails } from '../../../db/people/members.js';

/**
 * Ensures that a member, which the transaction has locked, has an account. A new account is made for this member alone:
 * without addresses, because none is proved, and without a look at other accounts (design section 8). While the account
 * stands alone, its name and locale follow the member; once a person has signed in to it, it belongs to that person.
 * Terms are accepted for this workspace only.
 *
 * @returns the uuid of the account that only this workspace knows
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
