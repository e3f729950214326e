import { randomUUID } from 'node:crypto';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import type { Figure } from '../figure.js';
import { addAssistant, ask } from '../support/ask.js';
import { floorTaskQueue } from '../support/floor-worker.js';
import { medianAnswer } from '../support/median-answer.js';

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
