import { selectKnownCarrierIds } from '../../../db/conversations/messages.js';
import { receiveCodeKeyword } from '../../identity/login-codes/receive-keyword.js';
import type { OutreachContext, ServiceContext } from '../../kernel/context.js';
import type { InboundSms } from './inbound-sms.js';
import { receiveSms } from './receive-sms.js';

/** A message as the carrier lists it. */
export interface ListedSms extends Omit<InboundSms, 'carrierKeyword' | 'missedAt'> {
  receivedAt: Date;
}

export interface MissedMessages {
  /** Number of listed messages to numbers of workspaces. */
  listed: number;
  /** Number of messages that the webhook had missed and that were taken now. */
  taken: number;
  failed: number;
}

/**
 * Takes the listed messages that the carrier's webhook has not delivered, oldest first. One that fails does not stop
 * the rest. @param messages newest first, as carriers list them: within one second, the order of the list decides
 */
export async function takeMissedMessages(
  context: OutreachContext,
  messages: readonly ListedSms[],
  onFailure: (error: unknown, carrierMessageId: string) => void,
): Promise<MissedMessages> {
  const unknown = await withoutKnown(context, messages);
  const found: MissedMessages = { listed: unknown.listed, taken: 0, failed: 0 };
  const byTime = unknown.messages
    .toReversed()
    .sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  for (const sms of byTime) {
    try {
      if (await take(context, sms)) found.taken += 1;
    } catch (error) {
      found.failed += 1;
      onFailure(error, sms.carrierMessageId);
    }
  }
  return found;
}

interface UnknownSms extends ListedSms {
  /** Whether no workspace has the number that the message was sent to. */
  isToNobody: boolean;
}

/** @returns whether the message was taken now: a keyword to the number of login codes may have been applied before */
async function take(
  context: OutreachContext,
  { receivedAt, isToNobody, ...sms }: UnknownSms,
): Promise<boolean> {
  if (isToNobody) return (await receiveCodeKeyword(context, { ...sms, at: receivedAt })).changed;
  await receiveSms(context, { ...sms, missedAt: receivedAt });
  return true;
}

/** Returns the messages that are not stored in any chat; `listed` counts those to numbers of workspaces. */
async function withoutKnown(
  { db }: ServiceContext,
  messages: readonly ListedSms[],
): Promise<{ listed: number; messages: UnknownSms[] }> {
  const routes = await db.identity.phoneNumberRoutes.findMany([...new Set(messages.map(({ to }) => to))]);
  const byWorkspace = new Map<number, ListedSms[]>();
  const missing: UnknownSms[] = [];
  for (const message of messages) {
    const workspaceId = routes.get(message.to)?.workspaceId;
    if (workspaceId === undefined) missing.push({ ...message, isToNobody: true });
    else byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), message]);
  }
  let listed = 0;
  for (const [workspaceId, ours] of byWorkspace) {
    listed += ours.length;
    const ids = ours.map(({ carrierMessageId }) => carrierMessageId);
    const known = await db.readInWorkspace(workspaceId, (tx) => selectKnownCarrierIds(tx, ids));
    const unknown = ours.filter(({ carrierMessageId }) => !known.has(carrierMessageId));
    missing.push(...unknown.map((message) => ({ ...message, isToNobody: false })));
  }
  return { listed, messages: missing };
}
