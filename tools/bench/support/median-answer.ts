import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '../stage/stage.js';
import { medianDuration } from './durations.js';

/**
 * The time from `write` to the agent's stored reply in the chat: the median over few messages, so that the history for
 * the model stays short.
 */
export async function medianAnswer(
  stage: Stage,
  operations: number,
  chatId: number,
  write: () => Promise<void>,
): Promise<number> {
  let replies = 0;
  return medianDuration(Math.ceil(operations / 4), async () => {
    await write();
    replies += 1;
    while ((await countReplies(stage, chatId)) < replies) await pause(1);
  });
}

async function countReplies({ database, workspace }: Stage, chatId: number): Promise<number> {
  return database.readInWorkspace(workspace.workspaceId, async (tx) => {
    const { rows } = await tx.raw(
      `select count(*) as count from messages where chat_id = ? and role = 'assistant'`,
      [chatId],
    );
    return rows[0].count;
  });
}
