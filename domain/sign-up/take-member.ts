import type { Tx } from '../../db/database.js';
import type { MemberDetails, MemberRow } from '../../db/queries/members.js';
import { findIdentifierHolders, lockIdentifiers, lockMembers } from '../../db/queries/write-members.js';
import type { CommandContext } from '../context.js';
import { Conflict, InvalidInput } from '../errors.js';
import { requireCoveredBy } from '../member-roles/role-grants.js';
import { mayHaveToken, memberIsAdmin } from '../member-tokens/may-sign-in-by-token.js';
import { addMembers } from '../members/add-member.js';
import { changeMembers } from '../members/change-member.js';
import { IdentifierBook, identifierFields } from '../members/identifiers.js';
import type { MemberChanges } from '../members/member-attributes.js';
import { type CheckedSignUp, underMember } from './check-sign-up.js';

/** The member of a sign-up. */
export interface TakenMember {
  member: MemberDetails;
  wasCreated: boolean;
}

const mostRounds = 5;

/**
 * The one member that has any of the identifiers, held for the rest of the transaction and told what is new, or a new
 * one. Others may make, change or delete it at the same moment: then it is looked for again.
 *
 * @throws InvalidInput, Forbidden, Conflict `member_is_admin`, `member_contended`
 */
export async function takeMember(
  tx: Tx,
  context: CommandContext,
  signUp: CheckedSignUp,
): Promise<TakenMember> {
  // Before the member, as everybody has it who writes members.
  await lockIdentifiers(tx, 'one');
  for (let round = 1; round <= mostRounds; round += 1) {
    const found = await holdMember(tx, signUp.changes);
    if (found === 'contended') continue;
    const member =
      found === undefined
        ? await addMember(tx, context, signUp)
        : await changeMember(tx, context, signUp, found);
    if (member !== undefined) return { member, wasCreated: found === undefined };
  }
  throw new Conflict('member_contended', 'The member is being changed by someone else. Try again.');
}

/** @throws InvalidInput at the identifiers, where different members have them */
async function holdMember(tx: Tx, changes: MemberChanges): Promise<MemberRow | 'contended' | undefined> {
  const holders = await findIdentifierHolders(tx, [changes]);
  const [first] = holders;
  if (first === undefined) return undefined;
  if (holders.some(({ id }) => id !== first.id)) throw differentMembers(holders, changes);
  const [member] = await lockMembers(tx, [first.id]);
  const isStillIts = identifierFields.some(
    (field) => changes[field] != null && member?.[field] === changes[field],
  );
  return member !== undefined && isStillIts ? member : 'contended';
}

/** Undefined where somebody else has one of its identifiers by now. */
async function addMember(
  tx: Tx,
  { actor, clock }: CommandContext,
  { changes, role, roles, labelIds }: CheckedSignUp,
): Promise<MemberDetails | undefined> {
  requireCoveredBy(
    actor,
    roles.find(({ id }) => id === actor.memberRoleId),
    role,
  );
  const values = { ...changes, memberRoleId: role.id };
  const [added] = await addMembers(tx, { now: clock.now() }, [{ values, labelIds }]);
  return added?.status === 'created' ? added.member : undefined;
}

/**
 * What a sign-up tells anew of a member that is there (docs/decisions/0043-accounts-behind-members.md): it is asked for
 * a token, so it has to be one who may have it.
 */
async function changeMember(
  tx: Tx,
  { actor, clock }: CommandContext,
  { changes, roles, labelIds }: CheckedSignUp,
  member: MemberRow,
): Promise<MemberDetails | undefined> {
  const role = roles.find(({ id }) => id === member.memberRoleId);
  // One that was made since the roles were looked up.
  if (role === undefined) return undefined;
  if (!mayHaveToken(member, role)) throw memberIsAdmin();
  requireCoveredBy(
    actor,
    roles.find(({ id }) => id === actor.memberRoleId),
    role,
  );
  refuseOtherIdentifiers(member, changes);
  const labels = labelIds.length === 0 ? {} : { moreLabelIds: labelIds };
  const [changed] = await changeMembers(tx, { now: clock.now() }, [{ member, changes, ...labels }]);
  return changed?.status === 'updated' || changed?.status === 'unchanged' ? changed.member : undefined;
}

/** An identifier says who one is: one that is missing is added, another in its place is for those who manage members. */
function refuseOtherIdentifiers(member: MemberRow, changes: MemberChanges): void {
  const others = identifierFields.filter(
    (field) => changes[field] != null && member[field] !== null && member[field] !== changes[field],
  );
  if (others.length === 0) return;
  const message = 'The member has another one, which is changed by updating the member.';
  throw InvalidInput.fields(
    underMember(others.map((field) => ({ pointer: `/${field}`, message }))),
    'other_identifier',
  );
}

function differentMembers(
  holders: ConstructorParameters<typeof IdentifierBook>[0],
  changes: MemberChanges,
): InvalidInput {
  const taken = new IdentifierBook(holders).takenFrom(null, changes);
  const fields = identifierFields.filter((field) => taken[field] !== undefined);
  const message = 'Different members of the workspace have these identifiers.';
  return InvalidInput.fields(
    underMember(fields.map((field) => ({ pointer: `/${field}`, message }))),
    'different_members',
  );
}
