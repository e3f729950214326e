import { findAssignmentTask } from '../../../db/assignments/assignment-tasks.js';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { type DeliveryRow, type DeliveryState, updateDelivery } from '../../../db/channels/deliveries.js';
import { findChat, lockChat, updateChat } from '../../../db/conversations/chats.js';
import { isInitialMessage, updateMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import { callPerson } from '../../kernel/call-person.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { pokeAssignmentRun, pokeDeliveries } from '../../kernel/runs.js';
import { optOutOfSms } from '../outreach/opt-outs.js';
import { explainSmsError, optsOut, retryDelayMs } from '../sms/error-codes.js';
import { isExpired } from './life-span.js';

/** After which time without a receipt the carrier is asked for it the first time. */
export const receiptGraceMs = 3_600_000;

/** The reason of a failure that nobody has told of: the attempt may have reached the member. */
export const unknownOutcome = 'unknown_outcome';

export interface DeliveryNews {
  state: Extract<DeliveryState, 'sent' | 'delivered' | 'failed'>;
  carrierMessageId?: string;
  errorCode?: string;
  failureReason?: string;
  /** Who learnt it: the run that sends needs no poke about its own news. */
  learntBy: 'run' | 'callback';
}

/**
 * Writes what became of a delivery, from whichever side it is learnt (the answer to sending, a status callback, a
 * look-up). The delivery's row is locked by the caller. Late and doubled news change nothing: a terminal state
 * stays, and with it the first failure's reason. `unknown_outcome` is none: it says what we did not know, and the first
 * news of the same attempt settles it.
 */
export async function settleDelivery(
  tx: Tx,
  delivery: DeliveryRow,
  news: DeliveryNews,
  now: Date,
): Promise<void> {
  if (delivery.state === 'delivered') return;
  if (delivery.state === 'failed' && delivery.failureReason !== unknownOutcome) return;
  if (delivery.state === 'sent' && news.state === 'sent') return;

  if (news.state === 'failed') {
    if (news.errorCode !== undefined && optsOut(news.errorCode)) {
      const { recipient: phone, sender } = delivery;
      await optOutOfSms(tx, { phone, sender, source: 'carrier', now });
    }
    // After the opt-out, as an inbound STOP takes the two.
    await lockChat(tx, delivery.chatId);
    const again = await nextAttemptAt(tx, delivery, news, now);
    if (again !== undefined) return await queueAgain(tx, delivery, news, again);
  }

  const failureReason = news.state === 'failed' ? reasonOf(news) : null;
  await updateDelivery(tx, delivery.id, {
    state: news.state,
    carrierMessageId: news.carrierMessageId ?? delivery.carrierMessageId,
    sentAt: delivery.sentAt ?? (news.state === 'failed' ? null : now),
    errorCode: news.errorCode ?? null,
    failureReason,
    receiptDueAt: news.state === 'sent' ? new Date(now.getTime() + receiptGraceMs) : null,
  });
  if (failureReason !== null) {
    reportOccurrence({ kind: 'sms_failed', workspaceId: tx.workspaceId, reason: failureReason });
  }
  await updateMessage(tx, delivery.messageId, {
    smsDeliveryStatus: news.state,
    smsDeliveryUpdatedAt: now,
    smsDeliveryErrorCode: news.errorCode ?? null,
    smsDeliveryFailureReason: failureReason,
  });
  await tellInitialMessage(tx, delivery, failureReason);
  // A run that sends learns by itself what comes next: only one that waits for this very attempt is told.
  if (delivery.outcomeUnknown) await tellDeliveries(tx, delivery, news);
  await tellAssignment(tx, delivery, news);
}

function reasonOf(news: DeliveryNews): string {
  return (
    news.failureReason ?? (news.errorCode === undefined ? 'failed' : explainSmsError(news.errorCode).reason)
  );
}

/** When a failed message is sent again; undefined where it is not. */
async function nextAttemptAt(
  tx: Tx,
  delivery: DeliveryRow,
  { errorCode }: DeliveryNews,
  now: Date,
): Promise<Date | undefined> {
  const failures = delivery.failures + 1;
  const delay = errorCode === undefined ? undefined : retryDelayMs(errorCode, failures);
  if (delay === undefined) return undefined;
  const at = new Date(now.getTime() + delay);
  return (await isExpired(tx, { ...delivery, failures }, at)) ? undefined : at;
}

/** A chat tells why its initial message did not reach the member, once that is known. */
async function tellInitialMessage(
  tx: Tx,
  delivery: DeliveryRow,
  failureReason: string | null,
): Promise<void> {
  // News that are good change something only where bad ones came before.
  if (failureReason === null && delivery.state !== 'failed') return;
  const chat = await findChat(tx, delivery.chatId);
  if (chat === undefined || !(await isInitialMessage(tx, chat, delivery.messageId))) return;
  await updateChat(tx, chat.id, { initialMessageError: failureReason });
}

/** A failure that may pass: the carrier is asked again later, as a new attempt. */
async function queueAgain(tx: Tx, delivery: DeliveryRow, news: DeliveryNews, notBefore: Date): Promise<void> {
  await updateDelivery(tx, delivery.id, {
    state: 'queued',
    notBefore,
    failures: delivery.failures + 1,
    carrierMessageId: null,
    claimedAt: null,
    claimToken: null,
    failureReason: null,
    sentAt: null,
    receiptDueAt: null,
  });
  await tellDeliveries(tx, delivery, news);
}

async function tellDeliveries(tx: Tx, delivery: DeliveryRow, news: DeliveryNews): Promise<void> {
  if (news.learntBy === 'run') return;
  const chat = await findChat(tx, delivery.chatId);
  if (chat !== undefined) await pokeDeliveries(tx, chat);
}

/** A message task is complete when its message is sent: its run is told. Where it failed, a person has to look. */
async function tellAssignment(tx: Tx, delivery: DeliveryRow, news: DeliveryNews): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, delivery.chatId);
  if (assignment?.status !== 'active' || assignment.currentTaskId === null) return;
  const current = await findAssignmentTask(tx, assignment.currentTaskId);
  if (current?.messageId !== delivery.messageId) return;
  if (news.state === 'failed') await callPerson(tx, { id: delivery.chatId }, 'delivery_failed');
  if (current.completedAt === null) await pokeAssignmentRun(tx, assignment);
}
