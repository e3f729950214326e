import {
  type DeliveryRow,
  findHoldBefore,
  lockDelivery,
  patchDelivery,
} from '../../../db/channels/deliveries.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { findMessage } from '../../../db/conversations/messages.js';
import { heldMsSince } from '../../../db/definitions/workspace-holds.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { timezoneOfMember } from '../../kernel/timezone-of-member.js';
import { endOfQuietHours } from '../outreach/quiet-hours.js';
import { isHoldable } from './begun-by.js';
import { channelOf } from './channels.js';
import type { DeliveryRef } from './delivery-ref.js';
import { hasMovedOn } from './has-moved-on.js';
import { isExpired, reviveAfterHold } from './life-span.js';
import { slotOf } from './pace.js';
import { queueFull, settleDelivery } from './settle-delivery.js';

/** The time after the end of quiet hours over which what they held is spread. */
const spreadMs = 15 * 60_000;
/** For how long a message is held at most, however often: with changed settings, each end could be in other quiet hours. */
const maxHoldMs = 48 * 3_600_000;

/**
 * Whether a queued delivery that begins an exchange may be claimed now. Otherwise it waits until the quiet hours of its
 * member end, or for the slot that it has taken among those of its sender; or it has failed: it would expire before its slot,
 * or the chat has moved on while it waited. Safe to repeat: at worst, a slot passes unused.
 */
export async function awaitTime(context: ServiceContext, ref: DeliveryRef): Promise<boolean> {
  const now = context.clock.now();
  const failure = await context.db.inWorkspace(ref.workspaceId, (tx) => waitFor(context, tx, ref, now));
  if (typeof failure === 'boolean') return failure;
  // In a transaction of its own: the one before may hold the row of the sender, for which others wait.
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'queued') return;
    await settleDelivery(tx, delivery, { state: 'failed', failureReason: failure, learntBy: 'run' }, now);
  });
  return false;
}

/** @returns why it fails; true if it may be claimed, false if it waits or is settled */
async function waitFor(
  context: ServiceContext,
  tx: Tx,
  ref: DeliveryRef,
  now: Date,
): Promise<boolean | typeof queueFull | 'chat_moved_on'> {
  const found = await lockDelivery(tx, ref.deliveryId);
  if (found?.state !== 'queued') return false;
  const delivery = await reviveAfterHold(tx, found, now);
  const chat = await findChat(tx, delivery.chatId);
  // The claim refuses these.
  if (chat === undefined || (await isExpired(tx, delivery, now))) return true;
  const hasWaited = delivery.heldUntil !== null || delivery.slotAt !== null;
  if (hasWaited && (await hasMovedOn(tx, chat, delivery))) return 'chat_moved_on';
  const heldUntil = isHoldable(delivery) ? await holdOf(context, tx, chat, delivery, now) : undefined;
  if (heldUntil !== undefined) {
    const isTooLong = await hasWaitedTooLong(tx, delivery, now);
    const expiresAt = isTooLong ? now : new Date(heldUntil.getTime() + channelOf(delivery).lifeSpanMs);
    const held = isTooLong ? {} : { heldUntil, notBefore: heldUntil, slotAt: null };
    await patchDelivery(tx, delivery.id, { ...held, expiresAt });
    return isTooLong;
  }
  const message = await findMessage(tx, delivery.messageId);
  const slotAt = message && (await slotOf(tx, delivery, message, now));
  if (slotAt === undefined) return queueFull;
  if (slotAt === null) return true;
  if (slotAt.getTime() !== delivery.slotAt?.getTime()) {
    await patchDelivery(tx, delivery.id, { slotAt, ...(slotAt > now ? { notBefore: slotAt } : {}) });
  }
  return slotAt <= now;
}

/** Without the time in which the workspace was held. */
async function hasWaitedTooLong(tx: Tx, { createdAt }: DeliveryRow, now: Date): Promise<boolean> {
  const overMs = now.getTime() - createdAt.getTime() - maxHoldMs;
  return overMs > 0 && (await heldMsSince(tx, createdAt, now)) < overMs;
}

/** Until when a message is held: until the quiet hours end, or as long as the one before it, also after their end. */
async function holdOf(
  { db }: ServiceContext,
  tx: Tx,
  { id, memberId }: ChatRow,
  delivery: DeliveryRow,
  now: Date,
): Promise<Date | undefined> {
  const quiet = await db.identity.workspaces.findQuietHours(tx.workspaceId, tx);
  const end = quiet && endOfQuietHours(now, quiet, await timezoneOfMember(tx, memberId));
  return end === undefined ? findHoldBefore(tx, delivery, now) : new Date(end.getTime() + spreadOf(id));
}

/** Chats whose ids follow each other are spread evenly, and all messages of a chat come together. */
function spreadOf(chatId: number): number {
  return Math.floor(((chatId * 0.618_033_988_749_895) % 1) * spreadMs);
}
