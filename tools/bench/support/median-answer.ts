import { setTimeout as pause } from 'node:timers/promises';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { ask } from './ask.js';
import { countRows } from './count.js';
import { medianDuration } from './durations.js';

/**
 * The time from `write` to the agent's stored reply in the chat: the median over few messages, so that the history for
 * the model stays short.
 */
export async function medianAnswer(
  stage: Stage,
  operations: number,
  chatId: number,
  write: () => Promise<unknown>,
): Promise<number> {
  let replies = 0;
  return medianDuration(Math.ceil(operations / 4), async () => {
    await write();
    replies += 1;
    while ((await countReplies(stage, chatId)) < replies) await pause(1);
  });
}

/** `medianAnswer` to messages that a member writes through the api, in a new web chat. */
export async function medianAnswerByApi(
  stage: Stage,
  api: Pick<StageProcess, 'url'>,
  assistantMemberId: number,
  operations: number,
): Promise<number> {
  const { member } = stage.workspace;
  const context = stage.workspace.context(member);
  const chat = await createChat(context, { channel: 'web-chat', assistantMemberId });
  const hello = { apiKey: member.apiKey, body: { content: 'Hello' } };
  return medianAnswer(stage, operations, chat.id, () =>
    ask(stage, api, 'POST', `/chats/${chat.id}/messages`, hello),
  );
}

const countReplies = (stage: Stage, chatId: number) =>
  countRows(stage, `from messages where chat_id = ? and role = 'assistant'`, [chatId]);
