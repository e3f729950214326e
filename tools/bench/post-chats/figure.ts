import { conversationTasks, publishDefinition } from '../../../test/support/workspace/definitions.js';
import type { Figure } from '../figure.js';
import { addAssistant } from '../support/ask.js';
import { requestRates } from '../support/http-load.js';
import { gatherStatistics } from '../support/statistics-of-tables.js';

/** The rate of creating chats with a workflow, including their assignments and the outbox entries of their runs. */
export const postChats: Figure = {
  name: 'post-chats',
  title: 'POST chats with a workflow',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.5 },
  async prepare(stage, { seconds }) {
    const { workspace } = stage;
    const assistantMemberId = await addAssistant(stage);
    const { workflowId, revisionId } = await publishDefinition(workspace, conversationTasks());
    const { memberId } = workspace.admin;
    // No worker runs, so only the api is measured.
    const rates = await requestRates(stage, {
      floor: new URL('./floor.ts', import.meta.url),
      path: '/chats',
      body: { channel: 'web-chat', memberId, workflowId },
      floorBody: { memberId, assistantMemberId, workflowId, revisionId },
      seconds,
    });
    return { ...rates, warmedUp: () => gatherStatistics(stage.superuserUrl) };
  },
};
