import { type InboxRow, lockInbox, patchInbox } from '../../../db/channels/inboxes.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';
import { NotFound } from '../../lib/errors.js';
import { makeInboundSecret, secretOverlapMs } from './inbox-secret.js';

/** Makes a new secret, valid at once; the earlier one stays valid for a day. It is returned only here. @throws NotFound */
export async function rotateInboundSecret(
  { actor, db, clock, encryption }: CommandContext & { encryption: Encryption },
  id: number,
): Promise<{ inbox: InboxRow; inboundSecret: string }> {
  actor.require('inboxes:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const stored = await lockInbox(tx, id);
    if (stored === undefined) throw new NotFound('Inbox');
    const now = clock.now();
    const { secret: inboundSecret, hash, sealed } = makeInboundSecret(encryption, stored);
    const inbox = await patchInbox(tx, id, {
      inboundSecretHash: hash,
      inboundSecret: sealed,
      previousSecretHash: stored.inboundSecretHash,
      previousSecret: stored.inboundSecret,
      previousSecretUntil: new Date(now.getTime() + secretOverlapMs),
      updatedAt: now,
    });
    recordAudit(tx, { clock, actor }, 'inbox:secret_rotated', { subject: ['inbox', id] });
    return { inbox, inboundSecret };
  });
}
