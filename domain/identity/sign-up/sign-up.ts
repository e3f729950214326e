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
  /**
   * Signs a new member in, once; null for an existing member, because the caller has not proved that the person is
   * present.
   */
  token: string | null;
  /** The uuid by which this workspace knows the account behind the member. */
  accountUuid: string;
  member: MemberDetails;
  wasCreated: boolean;
}

const mostAttempts = 3;
/** Constraints that this request may violate because of a concurrent one between its read and its write. */
const contended = new Set([
  'members_email_key',
  'members_phone_key',
  'members_external_id_key',
  'members_workspace_id_member_role_id_fkey',
]);

/**
 * Signs a person up (specification: create-signup rules), in one transaction. Adds what is new to the one member that
 * has any of the identifiers, or creates a member with a token; writes its records; ensures that it has an account.
 * However often and concurrently it is called, one member results, which is created once.
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

/** The token of a new member. It gives the permissions of the role that the credential of the caller allows. */
async function tokenOf(
  { db, actor, clock }: CommandContext,
  tx: Tx,
  { id }: MemberDetails,
  role: MemberRoleRow,
): Promise<string> {
  return (await mintMemberToken(db, tx, id, grantsFor(actor, role), clock.now())).token;
}
