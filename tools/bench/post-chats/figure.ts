import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { conversationTasks, publishDefinition } from '../../../test/support/workspace/definitions.js';
import type { Figure } from '../figure.js';
import { requestRate } from '../support/http-load.js';
import { gatherStatistics } from '../support/statistics-of-tables.js';

/** The rate of creating chats with a workflow, including their assignments and the outbox entries of their runs. */
export const postChats: Figure = {
  name: 'post-chats',
  title: 'POST chats with a workflow',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.5 },
  async prepare(stage, { seconds }) {
    const { workspace } = stage;
    const { memberId: assistantMemberId } = await createAssistant(workspace.context(), {
      name: 'Assistant',
      instructions: 'Be brief.',
      isDefault: true,
    });
    const { workflowId, revisionId } = await publishDefinition(workspace, conversationTasks());
    const { memberId, apiKey } = workspace.admin;
    // No worker runs, so only the api is measured.
    const [floor, api] = await Promise.all([
      stage.startScript(new URL('./floor.ts', import.meta.url)),
      stage.startApi(),
    ]);
    return {
      floor: () =>
        requestRate({
          url: `${floor.url}/w/${workspace.workspaceId}/chats`,
          method: 'POST',
          body: { memberId, assistantMemberId, workflowId, revisionId },
          seconds,
        }),
      measured: () =>
        requestRate({
          url: `${api.url}/api/v2${workspace.path('/chats')}`,
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
          body: { channel: 'web-chat', memberId, workflowId },
          seconds,
        }),
      warmedUp: () => gatherStatistics(stage.superuserUrl),
    };
  },
};
