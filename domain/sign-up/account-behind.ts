import type { Database, Tx } from '../../db/database.js';
import type { AccountRow } from '../../db/identity/accounts.js';
import type { MemberDetails } from '../../db/queries/members.js';

/**
 * The account behind a member that the transaction holds. Where there is none, one is made for this member alone:
 * without addresses, which nobody has proved, and without a look at accounts elsewhere (design section 8). While it
 * stands alone it says what its workspace says of the person; an account that somebody signed in to is theirs.
 */
export async function accountBehind(
  { identity: { accounts, memberships } }: Pick<Database, 'identity'>,
  tx: Tx,
  member: MemberDetails,
  { tosAccepted, now }: { tosAccepted: boolean; now: Date },
): Promise<AccountRow> {
  const { workspaceId } = tx;
  const { id: memberId, name } = member;
  const told = { name, ...(member.locale === null ? {} : { locale: member.locale }) };
  const membership = await memberships.findByMember(workspaceId, memberId, tx);
  if (membership === undefined) {
    const account = await accounts.create(
      {
        ...told,
        standsAlone: true,
        signupWorkspaceId: workspaceId,
        tosAccepted,
        createdAt: now,
        updatedAt: now,
      },
      tx,
    );
    await memberships.add({ workspaceId, memberId, accountId: account.id, createdAt: now }, tx);
    return account;
  }

  const account = await accounts.findById(membership.accountId, tx);
  if (account === undefined) throw new Error(`member ${memberId} has a membership without an account`);
  if (!account.standsAlone) return account;
  // What was accepted once stays so.
  const changes = { ...told, tosAccepted: account.tosAccepted || tosAccepted };
  const isSame =
    changes.name === account.name &&
    changes.tosAccepted === account.tosAccepted &&
    (changes.locale ?? account.locale) === account.locale;
  return isSame
    ? account
    : ((await accounts.update(account.id, { ...changes, updatedAt: now }, tx)) ?? account);
}
