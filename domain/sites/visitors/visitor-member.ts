import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { pinSite } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { NotFound, Unauthenticated } from '../../lib/errors.js';
import { canonicalLocale } from '../../lib/locales.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { addMembers } from '../../people/members/add-member.js';
import { notOffered } from './begin-visit.js';
import { type OfferedChat, offeredChat } from './offered-chat.js';
import { actorOfVisitor, type VisitorContext } from './visitor-context.js';

/**
 * The visitor as a member, which its first file makes it, as its first message does. @param locale of the page
 * @throws Conflict `chat_not_offered`
 */
export async function memberOfVisitor(context: VisitorContext, locale: string | undefined): Promise<Actor> {
  const { actor, db, clock, workspaceId, visitor } = context;
  if (actor !== undefined) return actor;
  return db.inWorkspace(workspaceId, async (tx) => {
    const locked = await db.identity.siteVisitors.lock(visitor.id, tx);
    if (locked === undefined) throw new Unauthenticated();
    if (locked.memberId !== null) return actorIn(context, tx, locked.memberId);
    await requireOffer(context, tx);
    const memberId = await addNobody(tx, locale, clock.now());
    await db.identity.siteVisitors.patch(visitor.id, { memberId }, tx);
    return actorIn(context, tx, memberId);
  });
}

/** The chat that the site offers now: it may have been changed, withdrawn or deleted since the request was let in. */
export async function requireOffer({ site }: VisitorContext, tx: Tx): Promise<OfferedChat> {
  const asItIs = await pinSite(tx, site.id);
  if (asItIs === undefined) throw new NotFound('Site');
  const offered = await offeredChat(tx, asItIs);
  if (offered === undefined) throw notOffered();
  return offered;
}

/**
 * Adds a person of whom nothing is known but the language of the page, and nothing is proved.
 * @param locale what is no language tag is none
 */
export async function addNobody(tx: Tx, locale: string | undefined, now: Date): Promise<number> {
  const role = defaultMemberRole(await selectMemberRoles(tx));
  if (role === undefined) throw new Error('the workspace has no role for new members');
  const values = { memberRoleId: role.id, locale: locale === undefined ? null : canonicalLocale(locale) };
  const [added] = await addMembers(tx, { now }, [{ values, isVouchedFor: false }]);
  if (added?.status !== 'created') throw new Error('a member without identifiers was not added');
  return added.member.id;
}

/** The visitor as its member acts, which may have been made meanwhile. @throws Unauthenticated */
export async function actorIn(
  { workspaceId, workspaceUuid, visitor }: VisitorContext,
  tx: Tx,
  memberId: number,
): Promise<Actor> {
  const member = await findMember(tx, memberId);
  if (member === undefined || member.disabledAt !== null) throw new Unauthenticated();
  const { memberRoleId } = member;
  return actorOfVisitor({ workspaceId, workspaceUuid, memberId, memberRoleId, visitorId: visitor.id });
}
