import {
  type DeliveryRow,
  listAttemptsToRecipient,
  lockDelivery,
  type RecipientAttempt,
  updateDelivery,
} from '../../../db/channels/deliveries.js';
import { findMessage } from '../../../db/conversations/messages.js';
import type { ServiceContext } from '../../kernel/context.js';
import { messageText } from '../message-text.js';
import type { DeliveryRef } from './claim-delivery.js';

export interface UnknownDelivery {
  attempt: number;
  from: string;
  to: string;
  body: string;
  claimedAt: Date;
  /** Its life span is over: nobody waits any more to hear what became of it. */
  isPast: boolean;
  /** No other attempt between the two numbers is without a result. */
  soleAttempt: boolean;
  /** Claims of the other attempts with the same text between the two numbers that have no result, in order. */
  claimsBefore: Date[];
  claimsAfter: Date[];
  /** What the carrier is known to have for other messages to the same number. */
  knownIds: string[];
}

/** When the carrier is asked what became of a claimed attempt, after the claim. */
export const lookUpDelaysMs: readonly number[] = [60_000, 600_000];

const historyToCompare = 100;

/** A claimed attempt without a result, as the carrier may know it; undefined when there is nothing to resolve. */
export async function findUnknownDelivery(
  context: ServiceContext,
  ref: DeliveryRef,
): Promise<UnknownDelivery | undefined> {
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.claimedAt === null) return undefined;
    const message = await findMessage(tx, delivery.messageId);
    if (message === undefined) return undefined;
    const attempts = await listAttemptsToRecipient(tx, delivery, historyToCompare);
    return {
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

/** What a look-up has to know of the other attempts to reach the same number. */
function comparedWith(
  { id, sender, claimedAt }: DeliveryRow,
  attempts: readonly RecipientAttempt[],
): Pick<UnknownDelivery, 'soleAttempt' | 'claimsBefore' | 'claimsAfter' | 'knownIds'> {
  const open = attempts.filter(
    (one) => one.deliveryId !== id && one.sender === sender && one.unknownSince !== null,
  );
  const isBefore = ({ deliveryId, unknownSince }: RecipientAttempt) =>
    Number(unknownSince) < Number(claimedAt) ||
    (Number(unknownSince) === Number(claimedAt) && deliveryId < id);
  const claims = (some: readonly RecipientAttempt[]) =>
    some.flatMap(({ unknownSince }) => unknownSince ?? []);
  const sameText = open.filter(({ isSameText }) => isSameText);
  return {
    soleAttempt: open.length === 0,
    claimsBefore: claims(sameText.filter(isBefore)),
    claimsAfter: claims(sameText.filter((one) => !isBefore(one))),
    knownIds: attempts.flatMap(({ carrierMessageId }) => carrierMessageId ?? []),
  };
}

/**
 * Notes that a look-up found nothing. The list of the carrier may lag: after the first one more follows.
 *
 * @returns whether that was the last
 */
export async function noteFoundNothing(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
): Promise<boolean> {
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.attempts !== attempt) return false;
    const lookUps = delivery.lookUps + 1;
    await updateDelivery(tx, delivery.id, { lookUps });
    return lookUps >= lookUpDelaysMs.length;
  });
}
