import { type InboxRow, lockInbox, patchInbox } from '../../../db/channels/inboxes.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { makeInboundSecret, secretOverlapMs } from './inbox-secret.js';

/** Makes a new secret, valid at once; the earlier one stays valid for a day. It is returned only here. @throws NotFound */
export async function rotateInboundSecret(
  { actor, db, clock }: CommandContext,
  id: number,
): Promise<{ inbox: InboxRow; inboundSecret: string }> {
  actor.require('inboxes:write');
  const { secret: inboundSecret, hash } = makeInboundSecret();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const stored = await lockInbox(tx, id);
    if (stored === undefined) throw new NotFound('Inbox');
    const now = clock.now();
    const inbox = await patchInbox(tx, id, {
      inboundSecretHash: hash,
      previousSecretHash: stored.inboundSecretHash,
      previousSecretUntil: new Date(now.getTime() + secretOverlapMs),
      updatedAt: now,
    });
    return { inbox, inboundSecret };
  });
}
