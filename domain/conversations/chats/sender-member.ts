import type { Database, Tx } from '../../../db/database.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { findMemberByEmail, findMemberByPhone, type MemberRow } from '../../../db/people/members.js';
import { insertUnprovedIdentifiers } from '../../../db/people/unproved-identifiers.js';
import { endMemberAccess } from '../../identity/member-tokens/member-tokens.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { addMembers } from '../../people/members/add-member.js';
import { bindIdentifiers } from '../../people/members/unproved-identifiers.js';

/** The address from which a message came, as the channel vouches for it. */
export type SenderAddress = { channel: 'phone' | 'email'; address: string };

/** Returns the member with the sender's address, who is created if unknown, with the first non-admin role. */
export async function memberOfSender(
  db: Pick<Database, 'identity'>,
  tx: Tx,
  sender: SenderAddress,
  now: Date,
): Promise<MemberRow> {
  return (await findSender(db, tx, sender, now)) ?? (await addSender(tx, sender, now));
}

/**
 * Returns the member with a caller's number, who is created if unknown. Nothing is bound: anybody can show any number, so that
 * it stays unproved until an SMS or a code comes from it.
 */
export async function memberOfCaller(tx: Tx, phone: string, now: Date): Promise<MemberRow> {
  const known = await findMemberByPhone(tx, phone);
  if (known !== undefined) return known;
  const added = await addSender(tx, { channel: 'phone', address: phone }, now);
  await insertUnprovedIdentifiers(tx, [{ memberId: added.id, channel: 'phone', address: phone }], now);
  return added;
}

/**
 * Returns the member with the address. If the address is unproved, this message binds it to the member (decision 60): the
 * member's other unproved addresses become pending, and access granted by tokens ends.
 */
async function findSender(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  sender: SenderAddress,
  now: Date,
): Promise<MemberRow | undefined> {
  const member = await findByAddress(tx, sender);
  if (member === undefined) return undefined;
  const used = { email: null, phone: null, ...identifierOf(sender) };
  const wasBound = !(await bindIdentifiers(tx, { now }, member.id, used));
  if (wasBound) return member;
  await endMemberAccess({ identity }, tx, [{ workspaceId: tx.workspaceId, memberId: member.id }], now);
  // A concurrent proof of another address may have separated this one from the member.
  return findByAddress(tx, sender);
}

async function addSender(tx: Tx, sender: SenderAddress, now: Date): Promise<MemberRow> {
  const role = defaultMemberRole(await selectMemberRoles(tx));
  if (role === undefined) throw new Error('the workspace has no role for new members');
  const values = { ...identifierOf(sender), memberRoleId: role.id };
  const [added] = await addMembers(tx, { now }, [{ values, isVouchedFor: false }]);
  // A concurrent transaction has created a member with this address, so it exists now.
  const member = added?.status === 'created' ? added.member : await findByAddress(tx, sender);
  if (member === undefined) throw new Error('the sender was deleted as it was found');
  return member;
}

function identifierOf({ channel, address }: SenderAddress): { phone: string } | { email: string } {
  return channel === 'phone' ? { phone: address } : { email: address };
}

function findByAddress(tx: Tx, { channel, address }: SenderAddress): Promise<MemberRow | undefined> {
  return channel === 'phone' ? findMemberByPhone(tx, address) : findMemberByEmail(tx, address);
}
