import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { RunInspector } from '../../activities/dependencies.js';

/** Asks Temporal how a run stands. */
export function createRunInspector(client: Client): RunInspector {
  return {
    async statusOf(workflowId) {
      try {
        const { status } = await client.workflow.getHandle(workflowId).describe();
        return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW' ? 'running' : 'closed';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },
  };
}
