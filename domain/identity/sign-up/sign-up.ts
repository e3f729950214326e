import type { Tx } from '../../../db/database.js';
import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import type { MemberDetails } from '../../../db/people/members.js';
import { isDeadlock, violatedConstraint } from '../../../db/violated-constraint.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';
import { mintMemberToken } from '../member-tokens/mint-member-token.js';
import { grantsFor } from '../member-tokens/token-grants.js';
import { checkSignUp } from './check-sign-up.js';
import { findOrCreateMember } from './find-or-create-member.js';
import { linkedAccount } from './linked-account.js';
import type { SignUpInput } from './sign-up-input.js';
import { writeData } from './write-data.js';

export interface SignedUp {
  /** By which a new member signs in, once; null for one that existed, whom the caller has not proved to be there. */
  token: string | null;
  /** By which this workspace knows the account behind the member. */
  accountUuid: string;
  member: MemberDetails;
  wasCreated: boolean;
}

const mostAttempts = 3;
/** What another request may take, or take away, between the look at it and the write. */
const contended = new Set([
  'members_email_key',
  'members_phone_key',
  'members_external_id_key',
  'members_workspace_id_member_role_id_fkey',
]);

/**
 * Signs a person up (specification: create-signup rules): the one member that has any of the identifiers, with what is
 * new of it, or a new member with a token; its records; and an account behind it. All of it, or nothing. However often and
 * whenever it is asked for, one member comes of it, which was created once.
 *
 * @throws Forbidden, InvalidInput, Conflict `member_is_admin`, `record_retired`, `member_contended`
 */
export async function signUp(context: CommandContext, input: SignUpInput): Promise<SignedUp> {
  context.actor.require('account:create');
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    try {
      return await signUpOnce(context, input);
    } catch (error) {
      if (!isDeadlock(error) && !contended.has(violatedConstraint(error) ?? '')) throw error;
    }
  }
  throw new Conflict('member_contended', 'The member is being changed by someone else. Try again.');
}

async function signUpOnce(context: CommandContext, input: SignUpInput): Promise<SignedUp> {
  const { db, actor, clock } = context;
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const checked = await checkSignUp(tx, context, input);
    const { member, wasCreated } = await findOrCreateMember(tx, context, checked);
    const accountUuid = await linkedAccount(db, tx, member, {
      tosAccepted: input.member.tosAccepted ?? false,
      now,
    });
    await writeData(tx, context, checked, member.id, input.data ?? {});
    const token = wasCreated ? await tokenOf(context, tx, member, checked.role) : null;
    return { token, accountUuid, member, wasCreated };
  });
}

/** The token of a new member, which gives what its role holds and the caller's credential does not cut off. */
async function tokenOf(
  { db, actor, clock }: CommandContext,
  tx: Tx,
  { id }: MemberDetails,
  role: MemberRoleRow,
): Promise<string> {
  return (await mintMemberToken(db, tx, id, grantsFor(actor, role), clock.now())).token;
}
