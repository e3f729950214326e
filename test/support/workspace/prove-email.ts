import { type Place, uniqueEmail } from './factories.js';

/**
 * Gives a member a new email address that the account behind it has proved; one without an account gets one.
 *
 * @returns the address, and the account
 */
export async function proveEmail(
  { database, workspaceId }: Place,
  memberId: number,
): Promise<{ email: string; accountId: number }> {
  const { accounts, memberships } = database.identity;
  const email = uniqueEmail();
  const proof = { email, emailVerifiedAt: new Date() };
  await database.inWorkspace(workspaceId, (tx) => tx('members').where({ id: memberId }).update({ email }));
  const membership = await memberships.findByMember(workspaceId, memberId);
  if (membership !== undefined) {
    await accounts.update(membership.accountId, proof);
    return { email, accountId: membership.accountId };
  }
  const account = await accounts.create(proof);
  await memberships.add({ workspaceId, memberId, accountId: account.id });
  return { email, accountId: account.id };
}
