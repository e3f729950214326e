import {
  type DeliveryRow,
  lockDelivery,
  patchDelivery,
  type RecipientAttempt,
  selectAttemptsToRecipient,
} from '../../../db/channels/deliveries.js';
import { findMessage } from '../../../db/conversations/messages.js';
import type { ServiceContext } from '../../kernel/context.js';
import { messageText } from '../message-text.js';
import { channelOf } from './channels.js';
import type { DeliveryRef } from './delivery-ref.js';
import { whileIn } from './record-delivery-news.js';

export interface DeliveryLookup {
  channel: DeliveryRow['channel'];
  attempt: number;
  from: string;
  to: string;
  body: string;
  claimedAt: Date;
  /** Whether the delivery has expired, so that its result no longer matters to anyone. */
  isPast: boolean;
  /** Whether no other attempt between the two numbers lacks a result. */
  soleAttempt: boolean;
  /** Claim times, in order, of the other attempts between the two numbers that have the same text and no result. */
  claimsBefore: Date[];
  claimsAfter: Date[];
  knownIds: string[];
}

/** Delays after the claim at which the service asks the carrier for the result of an attempt. */
export const lookUpDelaysMs: readonly number[] = [60_000, 600_000];

const historyToCompare = 100;

/**
 * Returns a claimed attempt without a result, with the data to find it at the carrier; undefined if there is none. An
 * attempt that was not begun is queued again.
 */
export async function prepareDeliveryLookup(
  context: ServiceContext,
  ref: DeliveryRef,
): Promise<DeliveryLookup | undefined> {
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.claimedAt === null) return undefined;
    if (await channelOf(delivery).wasNotStarted?.(tx, delivery)) {
      await patchDelivery(tx, delivery.id, {
        state: 'queued',
        claimedAt: null,
        claimToken: null,
        outcomeUnknown: false,
        attempts: delivery.attempts - 1,
      });
      return undefined;
    }
    const message = await findMessage(tx, delivery.messageId);
    if (message === undefined) return undefined;
    const attempts = await selectAttemptsToRecipient(tx, delivery, historyToCompare);
    return {
      channel: delivery.channel,
      attempt: delivery.attempts,
      from: delivery.sender,
      to: delivery.recipient,
      body: messageText(message.content),
      isPast: delivery.expiresAt <= context.clock.now(),
      claimedAt: delivery.claimedAt,
      ...comparedWith(delivery, attempts),
    };
  });
}

function comparedWith(
  { id, sender, claimedAt }: DeliveryRow,
  attempts: readonly RecipientAttempt[],
): Pick<DeliveryLookup, 'soleAttempt' | 'claimsBefore' | 'claimsAfter' | 'knownIds'> {
  const open = attempts.filter(
    (one) => one.deliveryId !== id && one.sender === sender && one.unknownSince !== null,
  );
  const isBefore = ({ deliveryId, unknownSince }: RecipientAttempt) =>
    Number(unknownSince) < Number(claimedAt) ||
    (Number(unknownSince) === Number(claimedAt) && deliveryId < id);
  const claims = (some: RecipientAttempt[]) => some.flatMap(({ unknownSince }) => unknownSince ?? []);
  const sameText = open.filter(({ isSameText }) => isSameText);
  return {
    soleAttempt: open.length === 0,
    claimsBefore: claims(sameText.filter(isBefore)),
    claimsAfter: claims(sameText.filter((one) => !isBefore(one))),
    knownIds: attempts.flatMap(({ carrierMessageId }) => carrierMessageId ?? []),
  };
}

/** Records that a look-up found nothing; returns whether it was the last. The carrier's list may lag: there are two. */
export async function recordLookupMiss(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
): Promise<boolean> {
  const isLast = await whileIn('claimed', context, ref, attempt, async (tx, delivery) => {
    const lookUps = delivery.lookUps + 1;
    await patchDelivery(tx, delivery.id, { lookUps });
    return lookUps >= lookUpDelaysMs.length;
  });
  return isLast ?? false;
}
