import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import type { SiteVisitorRow } from '../../../db/identity/models/site-visitor.js';
import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import { lockMember, type MemberRow } from '../../../db/people/members.js';
import { lockIdentifiers } from '../../../db/people/write-members.js';
import type { Tx } from '../../../db/tx.js';
import { changeMembers, type MemberChange } from '../../people/members/change-member.js';
import { isNobody } from './is-nobody.js';
import {
  createVisitorToken,
  endAfterUse,
  hashVisitorToken,
  isWellFormedVisitorToken,
} from './visitor-token.js';

/** Who signs up, in the browser of a visitor. */
export interface Joining {
  account: AccountRow;
  role: MemberRoleRow;
  siteId: number;
  /** The session that the browser has signed in with. */
  sessionId: number;
  visitorToken: string;
}

/**
 * Gives an account, which has no member in the workspace, the member of a visitor, so that its chat goes on as the account's:
 * only if nobody is known to be that member. The visitor's token ends, and another one lasts as long as the session.
 * @returns the member and the new token; undefined if the visitor's member stays as it is
 */
export async function joinVisitor(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  { account, role, siteId, sessionId, visitorToken }: Joining,
  now: Date,
): Promise<{ member: MemberRow; visitorToken: string } | undefined> {
  const { siteVisitors, memberships } = identity;
  if (!isWellFormedVisitorToken(visitorToken)) return undefined;
  const hash = hashVisitorToken(visitorToken);
  const found = await siteVisitors.findInForce(hash, now, tx);
  if (found?.workspaceId !== tx.workspaceId || found.siteId !== siteId || found.memberId === null)
    return undefined;
  // In the order in which others lock them: identifiers, member, tokens of the member.
  await lockIdentifiers(tx, 'one');
  const member = await lockMember(tx, found.memberId);
  const visitor = await siteVisitors.lockInForce(hash, now, tx);
  if (member === undefined || visitor === undefined || visitor.sessionId !== null) return undefined;
  if (member.disabledAt !== null || !(await isNobody({ identity }, tx, member))) return undefined;
  const joined = await becomeMember(tx, { member, account, role }, now);
  if (joined === undefined) return undefined;
  await memberships.add(
    { workspaceId: tx.workspaceId, memberId: member.id, accountId: account.id, createdAt: now },
    tx,
  );
  return { member: joined, visitorToken: await rotate(identity, tx, { visitor, sessionId }, now) };
}

/** An address that another person's member has in this workspace is left out. */
async function becomeMember(
  tx: Tx,
  { member, account, role }: { member: MemberRow; account: AccountRow; role: MemberRoleRow },
  now: Date,
): Promise<MemberRow | undefined> {
  const known: MemberChange['changes'] = {
    email: account.emailVerifiedAt === null ? null : account.email,
    phone: account.phoneVerifiedAt === null ? null : account.phone,
    memberRoleId: role.id,
    ...(account.name === null ? {} : { name: account.name }),
    ...(account.locale === null ? {} : { locale: account.locale }),
  };
  let [changed] = await changeMembers(tx, { now }, [{ member, changes: known }]);
  if (changed?.status === 'taken') {
    const free = Object.fromEntries(Object.keys(changed.taken).map((field) => [field, null]));
    [changed] = await changeMembers(tx, { now }, [{ member, changes: { ...known, ...free } }]);
  }
  return changed?.status === 'updated' || changed?.status === 'unchanged' ? changed.member : undefined;
}

async function rotate(
  { siteVisitors }: Database['identity'],
  tx: Tx,
  { visitor, sessionId }: { visitor: SiteVisitorRow; sessionId: number },
  now: Date,
): Promise<string> {
  await siteVisitors.endAllOf(
    [{ workspaceId: tx.workspaceId, memberId: visitor.memberId as number }],
    now,
    tx,
  );
  const { token, hash } = createVisitorToken();
  const { siteId, memberId, chatId } = visitor;
  const expiresAt = endAfterUse({ createdAt: now }, now);
  await siteVisitors.insert({ hash, siteId, memberId, chatId, sessionId, createdAt: now, expiresAt }, tx);
  return token;
}
