import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import type { Figure } from '../figure.js';
import { addAssistant } from '../support/ask.js';
import { startFloorRun } from '../support/floor-worker.js';
import { medianAnswer, medianAnswerByApi } from '../support/median-answer.js';

/** The time from a member's message to the agent's stored reply, with a model that answers at once. */
export const answer: Figure = {
  name: 'answer',
  title: 'Message to stored reply, p50',
  unit: 'ms',
  target: { ratioAtMost: 1.5 },
  async prepare(stage, { operations }) {
    const { workspace } = stage;
    const assistantMemberId = await addAssistant(stage);
    const [api] = await Promise.all([
      stage.startApi(),
      stage.startWorker(),
      stage.startScript(new URL('./floor.ts', import.meta.url)),
    ]);
    return {
      floor: async () => {
        const context = workspace.context(workspace.member);
        const chat = await createChat(context, { channel: 'web-chat', assistantMemberId });
        const bare = await startFloorRun(stage, chat.id);
        return medianAnswer(stage, operations, chat.id, () => bare.signal('message'));
      },
      measured: () => medianAnswerByApi(stage, api, assistantMemberId, operations),
    };
  },
};
