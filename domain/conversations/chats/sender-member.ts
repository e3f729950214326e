import { hasCalledNumberOf } from '../../../db/calls/phone-calls.js';
import type { Database } from '../../../db/database.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import {
  findMember,
  findMemberByEmail,
  findMemberByPhone,
  type MemberRow,
} from '../../../db/people/members.js';
import {
  barIdentifiers,
  findNamelessCaller,
  insertUnprovedIdentifiers,
  isBarredIdentifier,
  selectUnprovedIdentifiers,
} from '../../../db/people/unproved-identifiers.js';
import type { Tx } from '../../../db/tx.js';
import { endMemberAccess } from '../../identity/member-tokens/member-tokens.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { addMembers } from '../../people/members/add-member.js';
import { bindIdentifiers, disputeAddress } from '../../people/members/unproved-identifiers.js';

/** The address from which a message came, as the channel vouches for it. */
export type SenderAddress = { channel: 'phone' | 'email'; address: string };

/**
 * Returns the member with the sender's address, who is created if unknown, with the first non-admin role.
 * @param isAnswer whether the message answers what the workspace has sent to this address of a member
 */
export async function memberOfSender(
  db: Pick<Database, 'identity'>,
  tx: Tx,
  sender: SenderAddress,
  now: Date,
  isAnswer: (member: MemberRow) => Promise<boolean> = async () => false,
): Promise<MemberRow> {
  return (await findSender(db, tx, sender, now, isAnswer)) ?? (await addSender(tx, sender, now));
}

/**
 * Returns the member with a caller's number, who is created if unknown. Nothing is bound: anybody can show any number, so that
 * it stays unproved until an SMS or a code comes from it. Who calls from a number that is barred in its member's row is the
 * member only if the workspace has called the member there, and otherwise somebody without identifiers.
 */
export async function memberOfCaller(tx: Tx, phone: string, now: Date): Promise<MemberRow> {
  const known = await findMemberByPhone(tx, phone);
  const address = { channel: 'phone', address: phone } as const;
  if (known === undefined) {
    const added = await addSender(tx, address, now);
    await insertUnprovedIdentifiers(tx, [{ memberId: added.id, ...address }], now);
    return added;
  }
  const isBarred = await isBarredIdentifier(tx, { memberId: known.id, ...address });
  if (!isBarred || (await hasCalledNumberOf(tx, known.id, phone))) return known;
  return (await findNameless(tx, phone)) ?? (await addNameless(tx, phone, now));
}

async function findNameless(tx: Tx, phone: string): Promise<MemberRow | undefined> {
  const id = await findNamelessCaller(tx, phone);
  return id === undefined ? undefined : findMember(tx, id);
}

async function addNameless(tx: Tx, phone: string, now: Date): Promise<MemberRow> {
  const added = await addPerson(tx, {}, now);
  if (added === undefined) throw new Error('a member without identifiers was not created');
  await insertUnprovedIdentifiers(tx, [{ memberId: added.id, channel: 'phone', address: phone }], now);
  const noted = await selectUnprovedIdentifiers(tx, added.id);
  await barIdentifiers(
    tx,
    noted.map(({ id }) => id),
    now,
  );
  return added;
}

/**
 * Returns the member with the address. If the address is open, this message binds it to the member (decision 60): the
 * member's other open addresses are barred, and access granted by tokens ends. From a barred address, an answer is the
 * member's, and anything else shows that the address is somebody else's.
 */
async function findSender(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  sender: SenderAddress,
  now: Date,
  isAnswer: (member: MemberRow) => Promise<boolean>,
): Promise<MemberRow | undefined> {
  const member = await findByAddress(tx, sender);
  if (member === undefined) return undefined;
  const address = { memberId: member.id, ...sender };
  if (await isBarredIdentifier(tx, address)) {
    if (await isAnswer(member)) return member;
    await disputeAddress(tx, { now }, address);
    return undefined;
  }
  const used = { email: null, phone: null, ...identifierOf(sender) };
  const wasBound = !(await bindIdentifiers(tx, { now }, member.id, used));
  if (wasBound) return member;
  await endMemberAccess({ identity }, tx, [{ workspaceId: tx.workspaceId, memberId: member.id }], now);
  // A concurrent proof of another address may have separated this one from the member.
  return findByAddress(tx, sender);
}

async function addSender(tx: Tx, sender: SenderAddress, now: Date): Promise<MemberRow> {
  const added = await addPerson(tx, identifierOf(sender), now);
  // A concurrent transaction has created a member with this address, so it exists now.
  const member = added ?? (await findByAddress(tx, sender));
  if (member === undefined) throw new Error('the sender was deleted as it was found');
  return member;
}

async function addPerson(
  tx: Tx,
  identifiers: { phone?: string; email?: string },
  now: Date,
): Promise<MemberRow | undefined> {
  const role = defaultMemberRole(await selectMemberRoles(tx));
  if (role === undefined) throw new Error('the workspace has no role for new members');
  const [added] = await addMembers(tx, { now }, [
    { values: { ...identifiers, memberRoleId: role.id }, isVouchedFor: false },
  ]);
  return added?.status === 'created' ? added.member : undefined;
}

function identifierOf({ channel, address }: SenderAddress): { phone: string } | { email: string } {
  return channel === 'phone' ? { phone: address } : { email: address };
}

function findByAddress(tx: Tx, { channel, address }: SenderAddress): Promise<MemberRow | undefined> {
  return channel === 'phone' ? findMemberByPhone(tx, address) : findMemberByEmail(tx, address);
}
