import { removeOldInboundEmails } from '../../../db/channels/inbound-emails.js';
import { removeUnsubscribeLinks } from '../../../db/channels/unsubscribe-links.js';
import { linksLastMs } from '../../channels/email/unsubscribe.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type Batch, batchOf } from '../../kernel/retention.js';
import { keptMs } from './accept-email.js';

const batchSize = 500;
/** Mails that wait for a person are kept for longer, with their bytes. */
const keptWaitingMs = 3 * keptMs;

/** Mails that came before, and links that were made before, are old. */
export function oldEmailsBefore(now: Date): { emails: Date; links: Date } {
  return { emails: new Date(now.getTime() - keptMs), links: new Date(now.getTime() - linksLastMs) };
}

/** Deletes a batch of what is stored of received mails beside their messages. */
export async function forgetOldEmails({ db, clock }: ServiceContext, workspaceId: number): Promise<Batch> {
  const now = clock.now();
  const waitingBefore = new Date(now.getTime() - keptWaitingMs);
  const ages = { before: oldEmailsBefore(now).emails, waitingBefore };
  const remove = () =>
    db.inWorkspace(workspaceId, (tx) => removeOldInboundEmails(tx, { ...ages, limit: batchSize }));
  return batchOf(await remove(), batchSize);
}

/** Deletes a batch of links for unsubscribing that need not work any more. */
export async function forgetOldLinks({ db, clock }: ServiceContext, workspaceId: number): Promise<Batch> {
  const before = oldEmailsBefore(clock.now()).links;
  const remove = () =>
    db.inWorkspace(workspaceId, (tx) => removeUnsubscribeLinks(tx, { before, limit: batchSize }));
  return batchOf(await remove(), batchSize);
}
