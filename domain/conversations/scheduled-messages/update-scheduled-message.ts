import {
  patchScheduledMessage,
  type ScheduledMessageRow,
} from '../../../db/conversations/scheduled-messages.js';
import type { CommandContext } from '../../kernel/context.js';
import { keepApiKey } from '../../kernel/keep-api-key.js';
import { pokeScheduledMessageRun } from '../../kernel/runs.js';
import { timeWithinAYear } from '../../lib/time-within-a-year.js';
import { requireText } from '../chats/send-assistant-message.js';
import { requirePending, requireScheduledMessage } from './lock-scheduled-message.js';
import { writeMessage } from './schedule-message.js';

export interface UpdateScheduledMessage {
  message?: string;
  files?: readonly number[];
  /** ISO 8601, with an offset. */
  sendAt?: string;
}

/**
 * Changes a message that is not sent yet. Who changes the text or the files becomes its author, in whose name and by
 * whose right it is sent. @throws NotFound, InvalidInput, Forbidden, Conflict `scheduled_message_settled`
 */
export async function updateScheduledMessage(
  { db, clock, actor }: CommandContext,
  chatId: number,
  id: number,
  input: UpdateScheduledMessage,
): Promise<ScheduledMessageRow> {
  actor.require('chats:admin');
  if (input.message !== undefined) requireText(input.message);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { chat, scheduled } = await requireScheduledMessage(tx, chatId, id);
    requirePending(scheduled);
    const sendAt =
      input.sendAt === undefined ? undefined : timeWithinAYear('/sendAt', input.sendAt, clock.now());
    const message = input.message ?? scheduled.message;
    const fileIds = [...(input.files ?? scheduled.fileIds)];
    const isRewritten = input.message !== undefined || input.files !== undefined;
    const changed = await patchScheduledMessage(tx, scheduled.id, {
      ...(isRewritten ? await writeMessage(tx, actor, chat, { message, fileIds }) : {}),
      ...(sendAt === undefined ? {} : { sendAt }),
    });
    await keepApiKey(db, tx, { apiKeyId: changed.apiKeyId, dueAt: changed.sendAt });
    if (sendAt !== undefined) await pokeScheduledMessageRun(tx, chat, changed);
    return changed;
  });
}
