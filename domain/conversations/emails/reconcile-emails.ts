import { findInboundEmail, selectUnread } from '../../../db/channels/inbound-emails.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { ServiceContext } from '../../kernel/context.js';
import { startReceivingRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';

/** A mail that waits to be received, by its run `receiveEmail`. */
export interface UnreadEmail {
  workspaceId: number;
  inboundEmailId: number;
  inboundEmailUuid: string;
}

const pageSize = 200;

/** Returns the next page of such mails, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfUnreadEmails(
  context: ServiceContext,
  workspaceId: number,
  afterId = 0,
): Promise<WalkPage<UnreadEmail, number>> {
  return context.db.readInWorkspace(workspaceId, async (tx) => {
    const mails = await selectUnread(tx, { after: afterId, limit: pageSize });
    const uuids = mails.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'receiveEmail', uuids);
    const items = mails
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, inboundEmailId: id, inboundEmailUuid: uuid }));
    return { items, next: mails.length < pageSize ? undefined : mails.at(-1)?.id };
  });
}

/** Starts the missing run of a mail. Harmless if it exists. */
export async function restartReceiving(context: ServiceContext, ref: UnreadEmail): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const mail = await findInboundEmail(tx, ref.inboundEmailId);
    if (mail?.state === 'received') await startReceivingRun(tx, mail);
  });
}
