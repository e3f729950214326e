import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addAssistant, ask } from '../support/ask.js';
import { medianDuration } from '../support/durations.js';
import { floorTaskQueue } from '../support/floor-worker.js';

/** The time from a member's message to the agent's stored reply, with a model that answers at once. */
export const answer: Figure = {
  name: 'answer',
  title: 'Message to stored reply, p50',
  unit: 'ms',
  target: { ratioAtMost: 1.5 },
  async prepare(stage, { operations }) {
    const { workspace } = stage;
    const client = createTemporalClient({ ...stage.temporal, tls: false });
    const assistantMemberId = await addAssistant(stage);
    const [api] = await Promise.all([
      stage.startApi(),
      stage.startWorker(),
      stage.startScript(new URL('./floor.ts', import.meta.url)),
    ]);
    const open = () =>
      createChat(workspace.context(workspace.member), { channel: 'web-chat', assistantMemberId });
    return {
      floor: async () => {
        const chat = await open();
        const bare = await client.workflow.start('floor', {
          workflowId: `floor-${randomUUID()}`,
          taskQueue: floorTaskQueue,
          args: [{ workspaceId: workspace.workspaceId, chatId: chat.id }],
        });
        return medianAnswer(stage, operations, chat.id, () => bare.signal('message'));
      },
      measured: async () => {
        const chat = await open();
        const hello = { apiKey: workspace.member.apiKey, body: { content: 'Hello' } };
        return medianAnswer(stage, operations, chat.id, () =>
          ask(stage, api, 'POST', `/chats/${chat.id}/messages`, hello),
        );
      },
    };
  },
};

/** The median over few messages, so that the history for the model stays short. */
async function medianAnswer(
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
