import { type DeliveryRow, listDueDeliveries, noteOutcomeUnknown } from '../../db/queries/deliveries.js';
import type { ServiceContext } from '../context.js';

/** How long a claimed attempt may stay without a word before the carrier is asked about it. */
export const unknownOutcomeGraceMs = 60_000;

export type NextDelivery =
  | { kind: 'send'; deliveryId: number }
  | { kind: 'resolve'; deliveryId: number }
  | { kind: 'ask_for_receipt'; deliveryId: number }
  | { kind: 'wait'; until: number }
  | { kind: 'idle' };

/**
 * What a chat's deliveries need next. In order: while an attempt is claimed nothing later is sent. A receipt that
 * is late is asked for when there is nothing else to do.
 *
 * Asked by the run alone, between two attempts: so one that is claimed has ended without a result, which is noted,
 * for the status callback to wake the run.
 */
export async function nextDelivery(
  context: ServiceContext,
  input: { workspaceId: number; chatId: number },
): Promise<NextDelivery> {
  const now = context.clock.now().getTime();
  return context.db.inWorkspace(input.workspaceId, async (tx) => {
    for (;;) {
      const open = await listDueDeliveries(tx, input.chatId, context.clock.now());
      const first = open.find((delivery) => delivery.state !== 'sent');
      if (first === undefined) return nextReceipt(open, now);
      if (first.state === 'queued') return whenDue(first, now);
      if (await noteOutcomeUnknown(tx, first.id)) return whenGraceIsOver(first, now);
    }
  });
}

function whenDue({ id, notBefore }: DeliveryRow, now: number): NextDelivery {
  const until = notBefore?.getTime() ?? now;
  return until <= now ? { kind: 'send', deliveryId: id } : { kind: 'wait', until };
}

function whenGraceIsOver({ id, claimedAt }: DeliveryRow, now: number): NextDelivery {
  const until = (claimedAt?.getTime() ?? now) + unknownOutcomeGraceMs;
  return until <= now ? { kind: 'resolve', deliveryId: id } : { kind: 'wait', until };
}

function nextReceipt(sent: DeliveryRow[], now: number): NextDelivery {
  const late = sent.find(({ receiptDueAt }) => receiptDueAt !== null && receiptDueAt.getTime() <= now);
  return late === undefined ? { kind: 'idle' } : { kind: 'ask_for_receipt', deliveryId: late.id };
}
