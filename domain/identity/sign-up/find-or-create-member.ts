import type { Database } from '../../../db/database.js';
import type { LoginChannel } from '../../../db/identity/models/login-code.js';
import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import type { MemberDetails, MemberRow } from '../../../db/people/members.js';
import {
  insertUnprovedIdentifiers,
  type MemberAddress,
  selectBarredIdentifiers,
  type UnprovedIdentifierRow,
} from '../../../db/people/unproved-identifiers.js';
import {
  findIdentifierHolders,
  type IdentifierHolder,
  lockIdentifiers,
  lockMembers,
} from '../../../db/people/write-members.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { isCoveredBy, requireCoveredByRole } from '../../people/member-roles/role-grants.js';
import { addMembers } from '../../people/members/add-member.js';
import { changeMembers } from '../../people/members/change-member.js';
import { IdentifierIndex, identifierFields } from '../../people/members/identifiers.js';
import type { MemberChanges } from '../../people/members/member-attributes.js';
import {
  addressChannels,
  barUnnamed,
  disputeAddress,
  keepPending,
} from '../../people/members/unproved-identifiers.js';
import { sealMemberAccess } from '../member-tokens/member-tokens.js';
import { mayHaveToken, memberIsAdmin } from '../member-tokens/token-grants.js';
import { type CheckedSignUp, underMember } from './check-sign-up.js';

export interface FoundOrCreatedMember {
  member: MemberDetails;
  wasCreated: boolean;
}

const maxRounds = 5;

/**
 * Searches again if the member is created, changed or deleted meanwhile. @throws InvalidInput, Forbidden, Conflict
 * `member_is_admin`, `member_contended`
 */
export async function findOrCreateMember(
  tx: Tx,
  context: CommandContext,
  signUp: CheckedSignUp,
): Promise<FoundOrCreatedMember> {
  // Take this lock before the row lock of the member, in the same order as every other writer of members.
  await lockIdentifiers(tx, 'one');
  for (let round = 1; round <= maxRounds; round += 1) {
    const found = await holdMember(tx, context, signUp);
    if (found === 'contended') continue;
    const member =
      found === undefined
        ? await addMember(tx, context, signUp)
        : await changeMember(tx, context, signUp, found);
    if (member !== undefined) return { member, wasCreated: found === undefined };
  }
  throw new Conflict('member_contended', 'The member is being changed by someone else. Try again.');
}

/** @throws InvalidInput at the identifiers if they belong to different members */
async function holdMember(
  tx: Tx,
  { clock }: CommandContext,
  { changes, hasData }: CheckedSignUp,
): Promise<MemberRow | 'contended' | undefined> {
  const found = await findIdentifierHolders(tx, [changes]);
  const barred = await selectBarredIdentifiers(
    tx,
    found.map(({ id }) => id),
  );
  const isBarred = (holder: IdentifierHolder, channel: LoginChannel) =>
    barred.some((one) => isAbout(one, holder.id, channel, holder[channel]));
  const known = found.filter((holder) =>
    identifierFields.some(
      (field) =>
        changes[field] != null &&
        changes[field] === holder[field] &&
        (field === 'externalId' || !isBarred(holder, field)),
    ),
  );
  const others = new Set(found.map(({ id }) => id));
  // Found by barred addresses alone. What is entered under one may be somebody else's, who is a member of their own.
  const isSomebodyElse = known.length === 0 && (hasData || others.size > 1);
  if (isSomebodyElse) {
    await lockMembers(tx, [...others]);
    for (const { memberId, channel, address } of barred) {
      if (changes[channel] !== address) continue;
      await disputeAddress(tx, { now: clock.now() }, { memberId, channel, address });
    }
    return undefined;
  }
  const holders = known.length === 0 ? found : known;
  const [first] = holders;
  if (first === undefined) return undefined;
  if (holders.some(({ id }) => id !== first.id)) throw differentMembers(holders, changes);
  const [member] = await lockMembers(tx, [first.id]);
  const isStillIts = identifierFields.some(
    (field) => changes[field] != null && member?.[field] === changes[field],
  );
  return member !== undefined && isStillIts ? member : 'contended';
}

function isAbout(
  one: UnprovedIdentifierRow,
  memberId: number,
  channel: LoginChannel,
  address: string | null,
): boolean {
  return one.memberId === memberId && one.channel === channel && one.address === address;
}

/**
 * A caller that may manage members vouches for the addresses, as where it creates one otherwise; those of a form are
 * unproved. Returns undefined if another member has taken one of the identifiers in the meantime.
 */
async function addMember(
  tx: Tx,
  { actor, clock }: CommandContext,
  { changes, role, roles, labelIds }: CheckedSignUp,
): Promise<MemberDetails | undefined> {
  requireCoveredByRole(ownRole(actor, roles), role);
  const now = clock.now();
  const values = { ...changes, memberRoleId: role.id };
  const [added] = await addMembers(tx, { now }, [{ values, labelIds, isVouchedFor: false }]);
  if (added?.status !== 'created') return undefined;
  const { member } = added;
  if (actor.can('members:write')) return member;
  const unproved = addressChannels.flatMap((channel): MemberAddress[] => {
    const address = member[channel];
    return address === null ? [] : [{ memberId: member.id, channel, address }];
  });
  await insertUnprovedIdentifiers(tx, unproved, now);
  return member;
}

/**
 * Applies a form to an existing member (docs/decisions/0060-identifiers-are-bound-by-proof.md): fills in missing
 * attributes, except addresses, and adds labels. A caller that manages the member overwrites attributes, except
 * identifiers.
 */
async function changeMember(
  tx: Tx,
  { db, actor, clock }: CommandContext,
  { changes, roles, labelIds, hasData }: CheckedSignUp,
  member: MemberRow,
): Promise<MemberDetails | undefined> {
  const now = clock.now();
  const role = roles.find(({ id }) => id === member.memberRoleId);
  // The role was created after the roles were read.
  if (role === undefined) return undefined;
  if (!mayHaveToken(member, role)) throw memberIsAdmin();
  await keepPending(tx, { now }, member, changes);
  if (hasData) await separateFromForm(db, tx, now, member, changes);
  const manages = actor.can('members:write') && isCoveredBy(actor, ownRole(actor, roles), role);
  const labels = labelIds.length === 0 ? {} : { moreLabelIds: labelIds };
  const told = toldOf(member, changes, manages);
  const [changed] = await changeMembers(tx, { now }, [{ member, changes: told, ...labels }]);
  return changed?.status === 'updated' || changed?.status === 'unchanged' ? changed.member : undefined;
}

/**
 * Another person may have given the form that created the member: open addresses that this form does not name are
 * barred, and access by tokens is sealed, unless the external id confirms that both are about the same person.
 */
async function separateFromForm(
  db: Pick<Database, 'identity'>,
  tx: Tx,
  now: Date,
  member: MemberRow,
  changes: MemberChanges,
): Promise<void> {
  if (changes.externalId != null && changes.externalId === member.externalId) return;
  const wasUnproved = await barUnnamed(tx, { now }, member, changes);
  if (!wasUnproved) return;
  await sealMemberAccess(db, tx, [{ workspaceId: tx.workspaceId, memberId: member.id }], now);
}

function toldOf(member: MemberRow, changes: MemberChanges, manages: boolean): MemberChanges {
  const { email: _email, phone: _phone, externalId, ...attributes } = changes;
  const fields = Object.keys(attributes) as (keyof typeof attributes)[];
  const told = fields.filter((field) => manages || member[field] === null);
  return {
    ...Object.fromEntries(told.map((field) => [field, attributes[field]])),
    ...(member.externalId === null && externalId != null ? { externalId } : {}),
  };
}

function ownRole(actor: Actor, roles: readonly MemberRoleRow[]): MemberRoleRow | undefined {
  return roles.find(({ id }) => id === actor.memberRoleId);
}

function differentMembers(
  holders: ConstructorParameters<typeof IdentifierIndex>[0],
  changes: MemberChanges,
): InvalidInput {
  const taken = new IdentifierIndex(holders).takenFrom(null, changes);
  const fields = identifierFields.filter((field) => taken[field] !== undefined);
  const message = 'Different members of the workspace have these identifiers.';
  return InvalidInput.fields(
    underMember(fields.map((field) => ({ pointer: `/${field}`, message }))),
    'different_members',
  );
}
