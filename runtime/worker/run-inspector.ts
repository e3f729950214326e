import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { RunInspector } from '../../activities/kernel/dependencies.js';
import { workflowIdOf } from '../../workflows/contracts/runs.js';
import { withinDeadline } from '../temporal/connect.js';

const answerWithinMs = 5_000;
/** The reconciler's walk finds closed runs beyond this number. */
const mostListed = 5_000;

/** In any other status the run continues: it may be paused by an operator, or continued as new. */
const closed = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT']);

export function createRunInspector(client: Client): RunInspector {
  return {
    async statusOf(workflowId) {
      try {
        const { status } = await withinDeadline(client, Date.now() + answerWithinMs, () =>
          client.workflow.getHandle(workflowId).describe(),
        );
        return closed.has(status.name) ? 'closed' : 'running';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },

    async listClosedAssignments(since) {
      // A run ends as cancelled only after its assignment.
      const query = `WorkflowType = 'runAssignment' AND CloseTime > '${since.toISOString()}'
        AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut')`;
      const found = new Map<string, string[]>();
      let count = 0;
      for await (const { workflowId, searchAttributes } of client.workflow.list({ query, pageSize: 1_000 })) {
        const workspaceUuid = String(searchAttributes.WorkspaceUuid?.[0]);
        const assignmentUuid = workflowId.slice(workflowIdOf('runAssignment', '').length);
        found.set(workspaceUuid, [...(found.get(workspaceUuid) ?? []), assignmentUuid]);
        count += 1;
        if (count === mostListed) break;
      }
      return found;
    },
  };
}
