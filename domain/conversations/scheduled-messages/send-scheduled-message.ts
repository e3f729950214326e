import type { ChatRow } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import {
  findScheduledMessage,
  patchScheduledMessage,
  type ScheduledMessageRow,
} from '../../../db/conversations/scheduled-messages.js';
import { heldMsSince, isWorkspaceHeld } from '../../../db/definitions/workspace-holds.js';
import { pinFiles } from '../../../db/files/file-attachments.js';
import type { FileRow } from '../../../db/files/files.js';
import { findLastingPermissions } from '../../../db/people/member-access.js';
import { findMember } from '../../../db/people/members.js';
import { withSavepoint } from '../../../db/savepoint.js';
import type { Tx } from '../../../db/tx.js';
import type { ScheduledMessageStep } from '../../../workflows/contracts/steps.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import type { ServiceContext } from '../../kernel/context.js';
import { colleague } from '../../kernel/who-reads.js';
import { InvalidInput } from '../../lib/errors.js';
import { checkFiles, checkReachable, undeliverableChat } from '../chats/send-assistant-message.js';
import { takeOperatorMessage } from '../chats/take-message.js';
import { failureOf, type ScheduledMessageFailure } from './failures.js';
import { lockScheduledMessage } from './lock-scheduled-message.js';

export interface ScheduledMessageRef {
  workspaceId: number;
  scheduledMessageId: number;
}

/** How late a message may be sent, after an outage of ours. Later, its content is out of place. */
const maxLateMs = 4 * 3_600_000;

/** Why a message may not be sent, beside the reasons for which `sendAssistantMessage` refuses it. */
class NotSent extends Error {
  constructor(readonly reason: ScheduledMessageFailure) {
    super(reason);
  }
}

/**
 * Sends a scheduled message if it is due, once: the message, the takeover, the queued delivery and the state of the
 * scheduled message are one transaction. If it cannot be sent, nothing of it is stored, the scheduled message says why,
 * and a colleague is alerted.
 */
export async function sendScheduledMessage(
  { db, clock }: ServiceContext,
  { workspaceId, scheduledMessageId }: ScheduledMessageRef,
): Promise<ScheduledMessageStep> {
  return db.inWorkspace(workspaceId, async (tx): Promise<ScheduledMessageStep> => {
    const named = await findScheduledMessage(tx, scheduledMessageId);
    const locked = named === undefined ? undefined : await lockScheduledMessage(tx, named.chatId, named.id);
    if (locked === undefined) return { kind: 'ended', outcome: 'gone' };
    const { chat, scheduled } = locked;
    if (scheduled.state !== 'pending') return endedAs(scheduled);
    const now = clock.now();
    if (scheduled.sendAt > now) return { kind: 'wait', until: scheduled.sendAt.getTime() };
    if (await isWorkspaceHeld(tx)) return { kind: 'wait', until: now.getTime() + checkMs, isHeld: true };
    if (await isTooLate(tx, scheduled.sendAt, now))
      return endedAs(await giveUp(tx, chat, scheduled, 'expired', now));
    try {
      const { uuid } = await withSavepoint(tx, () => send(tx, chat, scheduled, now));
      const sent = { state: 'sent', settledAt: now, messageUuid: uuid } as const;
      return endedAs(await patchScheduledMessage(tx, scheduled.id, sent));
    } catch (error) {
      return endedAs(await giveUp(tx, chat, scheduled, reasonOf(error), now));
    }
  });
}

/** How often a message looks whether the hold of the workspace has ended, whose end pokes its run. */
const checkMs = 24 * 3_600_000;

/** Without the time in which the workspace was held. */
async function isTooLate(tx: Tx, sendAt: Date, now: Date): Promise<boolean> {
  const lateMs = now.getTime() - sendAt.getTime() - maxLateMs;
  return lateMs >= 0 && (await heldMsSince(tx, sendAt, now)) <= lateMs;
}

function endedAs({ state, failureReason }: ScheduledMessageRow): ScheduledMessageStep {
  const outcome = state === 'pending' ? 'gone' : state;
  return { kind: 'ended', outcome, ...(failureReason === null ? {} : { reason: failureReason }) };
}

/** Sends it as `sendAssistantMessage` does for a colleague who is there. @throws NotSent, InvalidInput */
async function send(tx: Tx, chat: ChatRow, scheduled: ScheduledMessageRow, now: Date): Promise<MessageRow> {
  const files = await filesOf(tx, scheduled, now);
  await checkReachable(tx, chat, scheduled.message);
  checkFiles(chat, files);
  const sent = {
    content: scheduled.message,
    authorMemberId: scheduled.authorMemberId,
    files,
    seen: { messageId: scheduled.seenMessageId, waitingSince: scheduled.seenWaitingSince },
  };
  const { messages, undeliverable } = await takeOperatorMessage(tx, chat, sent, now);
  if (undeliverable !== undefined) throw undeliverableChat(undeliverable);
  return messages[0];
}

/** The files, if their author may still speak as the assistant and read all of them. */
async function filesOf(
  tx: Tx,
  { authorMemberId: memberId, apiKeyId, fileIds }: ScheduledMessageRow,
  now: Date,
): Promise<FileRow[]> {
  const scopes = fileIds.length === 0 ? ['chats:admin'] : ['chats:admin', 'files:read'];
  const permissions = await findLastingPermissions(tx, { memberId, apiKeyId, scopes, now });
  if (permissions === undefined || !permissions.includes('chats:admin')) {
    throw new NotSent('author_not_allowed');
  }
  if (fileIds.length === 0) return [];
  const reader = colleague(memberId, { readsAll: permissions.includes('files:read') });
  const files = new Map((await pinFiles(tx, fileIds, reader)).map((file) => [file.id, file]));
  return fileIds.map((id) => {
    const file = files.get(id);
    if (file === undefined) throw new NotSent('file_unavailable');
    return file;
  });
}

/** @throws the error itself if it is no refusal: the step is then tried again */
function reasonOf(error: unknown): ScheduledMessageFailure {
  if (error instanceof NotSent) return error.reason;
  if (error instanceof InvalidInput) return failureOf(error.code);
  throw error;
}

async function giveUp(
  tx: Tx,
  chat: ChatRow,
  { id }: ScheduledMessageRow,
  failureReason: ScheduledMessageFailure,
  now: Date,
): Promise<ScheduledMessageRow> {
  // Nobody answers in the chat of a deleted member.
  if ((await findMember(tx, chat.memberId)) !== undefined) {
    await alertColleague(tx, chat, 'scheduled_message_failed');
  }
  return patchScheduledMessage(tx, id, { state: 'failed', failureReason, settledAt: now });
}
