import {
  findInboundEmail,
  findRawMail,
  type InboundEmailFilter,
  type InboundEmailRow,
  lockInboundEmail,
  patchInboundEmail,
  type RawMail,
  selectInboundEmails,
} from '../../../db/channels/inbound-emails.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** The mails that were handed in to the inboxes of a workspace, with what became of them. @throws Forbidden */
export async function listInboundEmails(
  { db, actor }: CommandContext,
  query: InboundEmailFilter & PageRequest<'receivedAt'>,
): Promise<PageOf<InboundEmailRow>> {
  actor.require('chats:read');
  return db.readInWorkspace(actor.workspaceId, (tx) => selectInboundEmails(tx, query, query));
}

/** @throws Forbidden, NotFound also where the bytes are not kept any more */
export async function getRawEmail({ db, actor }: CommandContext, id: number): Promise<RawMail> {
  actor.require('chats:read');
  const raw = await db.readInWorkspace(actor.workspaceId, (tx) => findRawMail(tx, id));
  if (raw === undefined) throw new NotFound('Mail');
  return raw;
}

/** Takes a mail from the queue, because somebody has looked at it. Repeatable. @throws Forbidden, NotFound */
export async function resolveInboundEmail(
  { db, actor, clock }: CommandContext,
  id: number,
): Promise<InboundEmailRow> {
  actor.require('chats:write');
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const row = await lockInboundEmail(tx, id);
    if (row === undefined) throw new NotFound('Mail');
    if (!row.needsResponse) return (await findInboundEmail(tx, id)) ?? row;
    const resolved = { needsResponse: false, resolvedAt: now, resolvedByMemberId: actor.memberId };
    return patchInboundEmail(tx, id, resolved);
  });
}
