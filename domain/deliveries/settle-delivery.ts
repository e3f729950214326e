import type { Tx } from '../../db/database.js';
import { findAssignmentTask } from '../../db/queries/assignment-tasks.js';
import { findAssignmentOfChat } from '../../db/queries/assignments.js';
import { findChat, lockChat } from '../../db/queries/chats.js';
import { type DeliveryRow, type DeliveryState, updateDelivery } from '../../db/queries/deliveries.js';
import { updateMessage } from '../../db/queries/messages.js';
import { callPerson } from '../chats/call-person.js';
import { tellHappening } from '../happenings.js';
import { optOutOfSms } from '../outreach/opt-outs.js';
import { pokeAssignmentRun, pokeDeliveries } from '../runs.js';
import { explainSmsError, optsOut, retryDelayMs } from '../sms/error-codes.js';

/** After which time without a receipt the carrier is asked for it the first time. */
export const receiptGraceMs = 3_600_000;

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
 * stays, and with it the first failure's reason.
 */
export async function settleDelivery(
  tx: Tx,
  delivery: DeliveryRow,
  news: DeliveryNews,
  now: Date,
): Promise<void> {
  if (delivery.state === 'delivered' || delivery.state === 'failed') return;
  if (delivery.state === 'sent' && news.state === 'sent') return;

  if (news.state === 'failed') {
    if (news.errorCode !== undefined && optsOut(news.errorCode)) {
      const { recipient: phone, sender } = delivery;
      await optOutOfSms(tx, { phone, sender, source: 'carrier', now });
    }
    // After the opt-out, as an inbound STOP takes the two.
    await lockChat(tx, delivery.chatId);
    const delay =
      news.errorCode === undefined ? undefined : retryDelayMs(news.errorCode, delivery.failures + 1);
    if (delay !== undefined) {
      return await queueAgain(tx, delivery, news, new Date(now.getTime() + delay));
    }
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
    tellHappening({ kind: 'sms_failed', workspaceId: tx.workspaceId, reason: failureReason });
  }
  await updateMessage(tx, delivery.messageId, {
    smsDeliveryStatus: news.state,
    smsDeliveryUpdatedAt: now,
    smsDeliveryErrorCode: news.errorCode ?? null,
    smsDeliveryFailureReason: failureReason,
  });
  // A run that sends learns by itself what comes next: only one that waits for this very attempt is told.
  if (delivery.outcomeUnknown) await tellDeliveries(tx, delivery, news);
  await tellAssignment(tx, delivery, news);
}

function reasonOf(news: DeliveryNews): string {
  return (
    news.failureReason ?? (news.errorCode === undefined ? 'failed' : explainSmsError(news.errorCode).reason)
  );
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
