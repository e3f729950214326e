import { randomUUID } from 'node:crypto';
import { lockDelivery } from '../../db/channels/deliveries.js';
import { claimDelivery } from '../channels/deliveries/claim-delivery.js';
import { nextDelivery } from '../channels/deliveries/next-delivery.js';
import { recordDeliveryNews } from '../channels/deliveries/record-delivery-news.js';
import type { ServiceContext } from '../kernel/context.js';
import type { Happening } from './entries.js';
import type { ScriptStep } from './script.js';

export type Carrier = NonNullable<ScriptStep['carrier']>;

interface Delivered {
  news: Extract<Happening, { kind: 'delivery' }>[];
  /** When the next attempt is due. */
  until?: Date;
}

/** Delivers the messages of a chat as its run would, with a carrier whose outcomes are scripted. */
export async function deliverDue(
  context: ServiceContext,
  ids: { workspaceId: number; chatId: number },
  carrier: Carrier,
): Promise<Delivered> {
  const news: Delivered['news'] = [];
  for (;;) {
    const next = await nextDelivery(context, ids);
    if (next.kind === 'wait') return { news, until: new Date(next.until) };
    if (next.kind !== 'send') return { news };
    const ref = { workspaceId: ids.workspaceId, deliveryId: next.deliveryId };
    const claim = await claimDelivery(context, ref, randomUUID());
    if (claim.kind === 'claimed') {
      // Emails are taken to be sent: what a script says of carriers is about SMS.
      const { outcome, errorCode } = carrier;
      const state = claim.channel === 'email' ? 'sent' : outcome;
      await recordDeliveryNews(context, ref, claim.attempt, {
        state,
        ...(state === 'failed' && errorCode !== undefined ? { errorCode } : {}),
      });
    }
    const status = await statusOf(context, ref);
    if (status !== undefined) news.push(status);
  }
}

async function statusOf(context: ServiceContext, ref: { workspaceId: number; deliveryId: number }) {
  const row = await context.db.inWorkspace(ref.workspaceId, (tx) => lockDelivery(tx, ref.deliveryId));
  if (row === undefined) throw new Error('a simulated delivery is gone');
  const { channel, state, failureReason, notBefore } = row;
  if (channel === 'email') return undefined;
  return {
    kind: 'delivery' as const,
    status: state === 'queued' ? 'tried_again' : state,
    ...(failureReason === null ? {} : { reason: failureReason }),
    ...(state === 'queued' && notBefore !== null ? { until: notBefore } : {}),
  };
}
