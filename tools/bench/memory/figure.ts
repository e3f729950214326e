import autocannon from 'autocannon';
import { waitUntil } from '../../../runtime/wait-until.js';
import { conversationTasks, publishDefinition } from '../../../test/support/workspace/definitions.js';
import { residentMegabytes } from '../../dev/memory/memory-probe.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addAssistant } from '../support/ask.js';
import { countRows } from '../support/count.js';

export function memoryOf(program: 'api' | 'worker', atMost: number): Figure {
  return {
    name: `memory-${program}`,
    title: `Resident memory of the ${program} after 1,000 assignments`,
    unit: 'MB',
    target: { atMost },
    async prepare(stage, { assignments }) {
      const [api, worker] = await Promise.all([stage.startApi(), stage.startWorker()]);
      return {
        measured: async () => {
          await makeAssignments(stage, api.url, assignments);
          return residentMegabytes((program === 'api' ? api : worker).pid);
        },
      };
    },
  };
}

async function makeAssignments(stage: Stage, apiUrl: string, count: number): Promise<void> {
  const { workspace } = stage;
  await addAssistant(stage);
  const { workflowId } = await publishDefinition(workspace, conversationTasks());
  await autocannon({
    url: `${apiUrl}/api/v2${workspace.path('/chats')}`,
    method: 'POST',
    amount: count,
    connections: 10,
    headers: { authorization: `Bearer ${workspace.admin.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'web-chat', memberId: workspace.admin.memberId, workflowId }),
  });
  const countSpoken = () => countRows(stage, 'from chats where message_count > 0');
  const spoken = await waitUntil(async () => (await countSpoken()) >= count, { withinMs: 240_000 });
  if (!spoken) throw new Error('not every agent has spoken');
}
