import { randomUUID } from 'node:crypto';
import type { Database } from '../../../db/database.js';
import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import type { MemberDetails } from '../../../db/people/members.js';
import { isDeadlock, violatedConstraint } from '../../../db/postgres-errors.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { nobody } from '../../kernel/who-reads.js';
import { Conflict, type FieldError, Forbidden, InvalidInput } from '../../lib/errors.js';
import { escapePointer } from '../../lib/json-schema.js';
import { plainText } from '../../lib/plain-text.js';
import { accessModes, canWriteAll } from '../../records/data-records/record-access.js';
import {
  type SavedRecord,
  type WriteOptions,
  writeRecords,
} from '../../records/data-records/writing/write-records.js';
import { mintMemberToken } from '../member-tokens/member-token.js';
import { grantsFor } from '../member-tokens/token-grants.js';
import { type CheckedSignUp, checkSignUp, type SignUpInput } from './check-sign-up.js';
import { findOrCreateMember } from './find-or-create-member.js';

export interface SignedUp {
  /** Signs a new member in, once; null for an existing one, because nothing proves that the person is present. */
  token: string | null;
  accountUuid: string;
  member: MemberDetails;
  wasCreated: boolean;
}

const maxAttempts = 3;
/** Constraints that this request may violate because of a concurrent one between its read and its write. */
const contended = new Set([
  'members_email_key',
  'members_phone_key',
  'members_external_id_key',
  'members_workspace_id_member_role_id_fkey',
]);

/**
 * However often and concurrently it is called, one member results (specification: create-signup rules). @throws
 * Forbidden, InvalidInput, Conflict `member_is_admin`, `record_retired`, `member_contended`
 */
export async function signUp(context: CommandContext, input: SignUpInput): Promise<SignedUp> {
  context.actor.require('account:create');
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
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
    const mayHaveToken = wasCreated && !(await db.identity.organizations.isSsoOnly(actor.workspaceId, tx));
    const token = mayHaveToken ? await tokenOf(context, tx, member, checked.role) : null;
    return { token, accountUuid, member, wasCreated };
  });
}

/** The token of a new member. It gives the permissions of the role that the credential of the caller allows. */
async function tokenOf(
  context: CommandContext,
  tx: Tx,
  { id }: MemberDetails,
  role: MemberRoleRow,
): Promise<string> {
  const { db, actor, clock } = context;
  recordAudit(tx, context, 'member_token:created', { subject: ['member', id] });
  return (await mintMemberToken(db, tx, id, grantsFor(actor, role), clock.now())).token;
}

/**
 * Ensures that a locked member has an account. A new one is for this member alone, without addresses, because none is
 * proved, and without a look at other accounts. While it stands alone, its name and locale follow the member. Terms are
 * accepted for this workspace only. @returns the uuid of the account that only this workspace knows
 */
async function linkedAccount(
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

/**
 * Records that the person may change require no permission. @throws InvalidInput with every problem, Forbidden,
 * Conflict
 */
async function writeData(
  tx: Tx,
  { actor, clock }: CommandContext,
  { types, defaultRegion }: Pick<CheckedSignUp, 'types' | 'defaultRegion'>,
  memberId: number,
  data: NonNullable<SignUpInput['data']>,
): Promise<void> {
  const errors: FieldError[] = [];
  // All transactions write the types in the same order, which prevents deadlocks.
  for (const type of types) {
    const given = data[type.slug];
    if (given === undefined) continue;
    const authorize: WriteOptions['authorize'] = (_, found) => {
      const isTheirs = found?.record.memberId === memberId && found.record.accessMode !== accessModes.own;
      if (isTheirs && !canWriteAll(actor, type)) throw new Forbidden('records:write');
    };
    const writer: WriteOptions = {
      actorMemberId: actor.memberId,
      now: clock.now(),
      defaultRegion,
      // The values are the person's words: the rights of the credential are not lent to them.
      fileGiver: nobody(memberId),
      authorize,
    };
    const externalId = given.externalId == null ? null : plainText(given.externalId);
    const item = { memberId, externalId: externalId === '' ? null : externalId, fieldValues: given.values };
    const [saved] = await writeRecords(tx, writer, type, [item]);
    errors.push(...errorsOf(type, saved));
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
}

/** The errors of a record, with pointers into the body. @throws errors that are not about a field */
function errorsOf({ slug }: DataTypeRow, saved: SavedRecord | undefined): FieldError[] {
  if (saved?.status !== 'failed') return [];
  if (!(saved.reason instanceof InvalidInput)) throw saved.reason;
  return saved.errors.map(({ pointer, message }) => ({
    pointer: `/data/${escapePointer(slug)}${pointer.replace(/^\/fieldValues/, '/values')}`,
    message,
  }));
}
