import { isInboxInUse, lockInbox, removeInbox } from '../../../db/channels/inboxes.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';

/** Refused while chats or emails name the inbox, because their history would lose its sender. @throws NotFound, Conflict */
export async function deleteInbox(context: CommandContext, id: number): Promise<void> {
  const { actor, db } = context;
  actor.require('inboxes:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const inbox = await lockInbox(tx, id);
    if (inbox === undefined) throw new NotFound('Inbox');
    if (await isInboxInUse(tx, id))
      throw new Conflict('inbox_in_use', 'Chats or emails use the inbox. Disable it.');
    const owner = { workspaceId: actor.workspaceId, inboxId: id };
    await db.identity.inboxRoutes.release(inbox.address, owner, tx);
    await removeInbox(tx, id);
    recordAudit(tx, context, 'inbox:deleted', { subject: ['inbox', id] });
  });
}
