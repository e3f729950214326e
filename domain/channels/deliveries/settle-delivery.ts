import { findAssignmentTask } from '../../../db/assignments/assignment-tasks.js';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import {
  type DeliveryRow,
  type DeliveryState,
  hasDeliveryOfLaterGroup,
  patchDelivery,
} from '../../../db/channels/deliveries.js';
import { findChat, lockChat, patchChat } from '../../../db/conversations/chats.js';
import { findLastHeard, findMessage, selectInitialMessages } from '../../../db/conversations/messages.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { pokeAssignmentRun, pokeDeliveries } from '../../kernel/runs.js';
import { channelOf } from './channels.js';
import { isExpired } from './life-span.js';
import { slowDown } from './pace.js';
import { reportDelivery } from './report-delivery.js';
import { showDelivery } from './show-delivery.js';

/** How long after sending the service first asks the carrier for a missing receipt. */
export const receiptGraceMs = 3_600_000;

/** The failure reason of an attempt without a result: the message may have reached the member. */
export const unknownOutcome = 'unknown_outcome';

/** The failure reason of a message that its sender cannot send before it expires. */
export const queueFull = 'queue_full';

export interface DeliveryNews {
  state: Extract<DeliveryState, 'sent' | 'delivered' | 'failed'>;
  carrierMessageId?: string;
  errorCode?: string;
  failureReason?: string;
  /** The source of the news. The run that sends needs no poke for its own result. */
  learntBy: 'run' | 'callback';
}

/** Whether news of an attempt change nothing. */
export function isOldNews(
  { state, failureReason }: Pick<DeliveryRow, 'state' | 'failureReason'>,
  news: Pick<DeliveryNews, 'state'>,
): boolean {
  if (state === 'failed') return failureReason !== unknownOutcome;
  return state === 'delivered' || (state === 'sent' && news.state === 'sent');
}

/**
 * Records the result of a delivery; the caller holds its row lock. A terminal state and the first reason are final,
 * except `unknown_outcome`, which the first definite result of the same attempt replaces.
 */
export async function settleDelivery(
  tx: Tx,
  delivery: DeliveryRow,
  news: DeliveryNews,
  now: Date,
): Promise<void> {
  if (isOldNews(delivery, news)) return;

  if (news.state === 'failed') {
    const channel = channelOf(delivery);
    if (news.errorCode !== undefined && channel.explain(news.errorCode).optsOut) {
      await channel.optOut(tx, delivery, now);
    }
    // Lock the chat after the opt-out: the handler of an inbound STOP takes these locks in the same order.
    await lockChat(tx, delivery.chatId);
    const again = await nextAttemptAt(tx, delivery, news, now);
    if (again !== undefined) {
      await queueAgain(tx, delivery, news, again);
      return await slowSender(tx, delivery, news, now);
    }
  }

  const failureReason = news.state === 'failed' ? reasonOf(delivery, news) : null;
  const settled = await patchDelivery(tx, delivery.id, {
    state: news.state,
    takenAt: delivery.takenAt ?? (news.state === 'failed' ? null : now),
    carrierMessageId: news.carrierMessageId ?? delivery.carrierMessageId,
    sentAt: delivery.sentAt ?? (news.state === 'failed' ? null : now),
    errorCode: news.errorCode ?? null,
    failureReason,
    receiptDueAt:
      news.state === 'sent' && channelOf(delivery).hasReceipts
        ? new Date(now.getTime() + receiptGraceMs)
        : null,
  });
  if (news.state !== 'failed' && news.carrierMessageId !== undefined) {
    await channelOf(delivery).recordSent?.(tx, delivery, news.carrierMessageId);
  }
  if (failureReason !== null) {
    const kind = delivery.channel === 'email' ? 'email_failed' : 'sms_failed';
    reportOccurrence(tx, { kind, reason: failureReason });
  }
  await reportDelivery(tx, delivery, settled, now);
  await showDelivery(tx, delivery, now);
  await reportInitialMessage(tx, delivery, failureReason);
  if (news.state === 'failed' && (await isOwed(tx, delivery, news))) await callForFailure(tx, delivery);
  if (await isOutOfTime(tx, delivery, news, now)) await callForFailure(tx, delivery);
  // The sending run determines its next action by itself; poke it only if it waits for the result of this attempt.
  if (delivery.outcomeUnknown) await reportDeliveries(tx, delivery, news);
  await reportAssignment(tx, delivery, news);
  await slowSender(tx, delivery, news, now);
}

async function slowSender(
  tx: Tx,
  delivery: DeliveryRow,
  { errorCode }: DeliveryNews,
  now: Date,
): Promise<void> {
  if (errorCode === undefined || !channelOf(delivery).explain(errorCode).isTooFast) return;
  await slowDown(tx, delivery, now);
}

function reasonOf(delivery: DeliveryRow, { failureReason, errorCode }: DeliveryNews): string {
  return (
    failureReason ?? (errorCode === undefined ? 'failed' : channelOf(delivery).explain(errorCode).reason)
  );
}

async function nextAttemptAt(
  tx: Tx,
  delivery: DeliveryRow,
  news: DeliveryNews,
  now: Date,
): Promise<Date | undefined> {
  const at = retryAt(delivery, news, now);
  const failures = delivery.failures + 1;
  return at === undefined || (await isExpired(tx, { ...delivery, failures }, at)) ? undefined : at;
}

function retryAt(delivery: DeliveryRow, { errorCode }: DeliveryNews, now: Date): Date | undefined {
  if (errorCode === undefined) return undefined;
  const delay = channelOf(delivery).explain(errorCode).retryDelaysMs[delivery.failures];
  return delay === undefined ? undefined : new Date(now.getTime() + delay);
}

/** Whether the message was not sent in time. If a later one was queued since the member wrote again, it was overtaken instead. */
async function isOutOfTime(tx: Tx, delivery: DeliveryRow, news: DeliveryNews, now: Date): Promise<boolean> {
  if (news.state !== 'failed') return false;
  const isLate = news.failureReason === 'expired' || news.failureReason === queueFull;
  const at = retryAt(delivery, news, now);
  if (!isLate && (at === undefined || delivery.expiresAt > at)) return false;
  return !(await hasDeliveryOfLaterGroup(tx, delivery));
}

async function reportInitialMessage(
  tx: Tx,
  delivery: DeliveryRow,
  failureReason: string | null,
): Promise<void> {
  // A success changes something only after a failure.
  if (failureReason === null && delivery.state !== 'failed') return;
  const chat = await findChat(tx, delivery.chatId);
  const parts = chat === undefined ? [] : await selectInitialMessages(tx, chat);
  if (!parts.some(({ id }) => id === delivery.messageId)) return;
  const failed = parts.find(({ smsDeliveryStatus }) => smsDeliveryStatus === 'failed');
  const initialMessageError = failed?.smsDeliveryFailureReason ?? null;
  await patchChat(tx, delivery.chatId, { initialMessageError });
}

/**
 * Whether a person has to see that a message did not arrive: it was the answer to whoever waited, a colleague wrote it to a
 * member who writes in the chat, it has files, or it is by email.
 */
async function isOwed(tx: Tx, delivery: DeliveryRow, news: DeliveryNews): Promise<boolean> {
  if (delivery.endedWait || channelOf(delivery).failuresCallPerson) return true;
  const message = await findMessage(tx, delivery.messageId);
  if (message === undefined) return false;
  if (message.files.length > 0) return true;
  if ((await findLastHeard(tx, delivery.chatId, message.createdAt)) === undefined) return false;
  if (message.author === 'person') return true;
  // Who has unsubscribed since waits for no answer of the agent; one that the member wrote past has been followed by another.
  const hasLeft = news.failureReason === 'opted_out';
  return delivery.begunBy === null && !hasLeft && !(await hasDeliveryOfLaterGroup(tx, delivery));
}

/** Nobody can answer in the chat of a deleted member. An archived chat would be seen by nobody. */
async function callForFailure(tx: Tx, { chatId }: DeliveryRow): Promise<void> {
  const chat = await findChat(tx, chatId);
  const member = chat && (await findMember(tx, chat.memberId));
  if (member !== undefined) await alertColleague(tx, { id: chatId }, 'delivery_failed', { archived: false });
}

async function queueAgain(tx: Tx, delivery: DeliveryRow, news: DeliveryNews, notBefore: Date): Promise<void> {
  await patchDelivery(tx, delivery.id, {
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
  await reportDeliveries(tx, delivery, news);
}

async function reportDeliveries(tx: Tx, delivery: DeliveryRow, news: DeliveryNews): Promise<void> {
  if (news.learntBy === 'run') return;
  const chat = await findChat(tx, delivery.chatId);
  if (chat !== undefined) await pokeDeliveries(tx, chat);
}

/** Pokes the run of a message task, complete once its message is sent; alerts a colleague if the message failed. */
async function reportAssignment(tx: Tx, delivery: DeliveryRow, news: DeliveryNews): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, delivery.chatId);
  if (assignment?.status !== 'active' || assignment.currentTaskId === null) return;
  const current = await findAssignmentTask(tx, assignment.currentTaskId);
  if (current?.messageId !== delivery.messageId) return;
  if (news.state === 'failed') await callForFailure(tx, delivery);
  if (current.completedAt === null) await pokeAssignmentRun(tx, assignment);
}
