import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { RunInspector } from '../../activities/dependencies.js';

/** All else is going on, if only paused by an operator or continued as new. */
const closed = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT']);

/** Asks Temporal how a run stands. */
export function createRunInspector(client: Client): RunInspector {
  return {
    async statusOf(workflowId) {
      try {
        const { status } = await client.workflow.getHandle(workflowId).describe();
        return closed.has(status.name) ? 'closed' : 'running';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },
  };
}
