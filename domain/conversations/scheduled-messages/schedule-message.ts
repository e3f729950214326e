import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import {
  countPendingMessages,
  insertScheduledMessage,
  newestMessageId,
  type ScheduledMessageRow,
  type ScheduledMessageValues,
} from '../../../db/conversations/scheduled-messages.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { Tx } from '../../../db/tx.js';
import { lockAttachableFiles } from '../../files/attachments/lock-attachable-files.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { keepApiKey } from '../../kernel/keep-api-key.js';
import { startScheduledMessageRun } from '../../kernel/runs.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import { timeWithinAYear } from '../../lib/time-within-a-year.js';
import { checkFiles, checkReachable, requireText } from '../chats/send-assistant-message.js';

export interface ScheduleMessage {
  chatId: number;
  message: string;
  /** ISO 8601, with an offset. */
  sendAt: string;
  toolCalls: readonly unknown[];
  /** Ids of files that the caller may read. */
  files?: readonly number[];
}

/** Messages that wait to be sent later. */
export const maxPending = { ofChat: 50, ofWorkspace: 5_000 };

/**
 * Stores a colleague's message, which is sent at its time as if the colleague sent it then. What may change until then,
 * such as whether the member has opted out, is checked at that time.
 * @throws InvalidInput, NotFound, Forbidden, Conflict `too_many_scheduled_messages`
 */
export async function scheduleMessage(
  { db, clock, actor }: CommandContext,
  input: ScheduleMessage,
): Promise<ScheduledMessageRow> {
  actor.require('chats:admin');
  requireText(input.message);
  const sendAt = timeWithinAYear('/sendAt', input.sendAt, clock.now());
  if (input.toolCalls.length > 0) {
    throw InvalidInput.field('/sendAt', 'excludes tool_calls, which run at once');
  }
  const { message, files = [] } = input;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, input.chatId);
    if (chat === undefined) throw new NotFound('Chat');
    const written = await writeMessage(tx, actor, chat, { message, fileIds: [...files] });
    // Last of the locks: others of the workspace wait for it.
    await lockSubject(tx, 'scheduled-messages');
    await requireRoom(tx, chat.id);
    const scheduled = await insertScheduledMessage(tx, { chatId: chat.id, ...written, sendAt });
    await keepApiKey(db, tx, { apiKeyId: scheduled.apiKeyId, dueAt: sendAt });
    await startScheduledMessageRun(tx, chat, scheduled);
    return scheduled;
  });
}

/** What is stored of a text with its files, which the actor writes now. The caller holds the chat's row lock. */
export async function writeMessage(
  tx: Tx,
  actor: Actor,
  chat: ChatRow,
  { message, fileIds }: Pick<ScheduledMessageRow, 'message' | 'fileIds'>,
): Promise<Omit<ScheduledMessageValues, 'chatId' | 'sendAt'>> {
  await checkReachable(tx, chat, message);
  checkFiles(chat, await lockAttachableFiles(tx, actor, fileIds));
  const { kind, id } = actor.credential;
  return {
    authorMemberId: actor.memberId,
    apiKeyId: kind === 'api_key' ? id : null,
    message,
    fileIds,
    seenMessageId: await newestMessageId(tx, chat.id),
    seenWaitingSince: chat.needsResponseSince,
  };
}

async function requireRoom(tx: Tx, chatId: number): Promise<void> {
  const pending = await countPendingMessages(tx, chatId, maxPending);
  if (pending.ofChat < maxPending.ofChat && pending.ofWorkspace < maxPending.ofWorkspace) return;
  const [place, most] =
    pending.ofChat < maxPending.ofChat ? ['workspace', maxPending.ofWorkspace] : ['chat', maxPending.ofChat];
  throw new Conflict(
    'too_many_scheduled_messages',
    `In the ${place}, ${most} messages wait to be sent later. Cancel one, or wait until one is sent.`,
  );
}
