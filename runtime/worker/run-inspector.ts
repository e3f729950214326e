import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, WorkflowNotFoundError } from '@temporalio/common';
import type { RunInspector } from '../../activities/kernel/dependencies.js';
import { pokeSignal } from '../../workflows/contracts/messages.js';
import { workflowIdOf } from '../../workflows/contracts/runs.js';
import { withinDeadline } from '../temporal/connect.js';

const answerWithinMs = 5_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Looked up within a slice; the reconciler's walk finds closed runs beyond this number. */
const maxListed = 1_000;

/** In any other status the run continues: it may be paused by an operator, or continued as new. */
const closed = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT']);

/** @param pageSize how many open runs a page has at most; Temporal allows a thousand, and one does not get on */
export function createRunInspector(client: Client, pageSize = 1_000): RunInspector {
  const within = <T>(call: () => Promise<T>) => withinDeadline(client, Date.now() + answerWithinMs, call);

  return {
    async statusOf(workflowId) {
      try {
        const { status } = await within(() => client.workflow.getHandle(workflowId).describe());
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
      await within(async () => {
        for await (const { workflowId, searchAttributes } of client.workflow.list({
          query,
          pageSize: 1_000,
        })) {
          const workspaceUuid = String(searchAttributes.WorkspaceUuid?.[0]);
          const assignmentUuid = assignmentUuidOf(workflowId);
          found.set(workspaceUuid, [...(found.get(workspaceUuid) ?? []), assignmentUuid]);
          count += 1;
          if (count === maxListed) break;
        }
      });
      return found;
    },

    async listOpenAssignments(after) {
      // Temporal lists the youngest first. A page token would be lost with the version of Temporal that has made it.
      const query = `WorkflowType = 'runAssignment' AND ExecutionStatus = 'Running'
        ${after === undefined ? '' : `AND StartTime <= '${after}'`}`;
      const { namespace } = client.options;
      const { executions } = await within(() =>
        client.workflowService.listWorkflowExecutions({ namespace, query, pageSize }),
      );
      const items = new Map<string, string[]>();
      for (const { execution, searchAttributes } of executions) {
        const workspaceUuid = keywordOf(searchAttributes?.indexedFields?.WorkspaceUuid);
        const assignmentUuid = assignmentUuidOf(execution?.workflowId ?? '');
        if (workspaceUuid === undefined || !uuid.test(assignmentUuid)) continue;
        items.set(workspaceUuid, [...(items.get(workspaceUuid) ?? []), assignmentUuid]);
      }
      const next = executions.length < pageSize ? undefined : timeOf(executions.at(-1)?.startTime);
      return next === undefined || next === after ? { items } : { items, next };
    },

    async poke(workflowId) {
      try {
        await within(() => client.workflow.getHandle(workflowId).signal(pokeSignal));
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
  };
}

function assignmentUuidOf(workflowId: string): string {
  return workflowId.slice(workflowIdOf('runAssignment', '').length);
}

/** With the nanoseconds that a `Date` would lose, and the listing its place. */
function timeOf(timestamp: Timestamp | null | undefined): string | undefined {
  if (timestamp?.seconds === undefined || timestamp.seconds === null) return undefined;
  const seconds = new Date(Number(timestamp.seconds) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(timestamp.nanos ?? 0).padStart(9, '0')}Z`;
}

type Timestamp = { seconds?: { toString(): string } | null; nanos?: number | null };

function keywordOf(attribute: Payload | null | undefined): string | undefined {
  if (attribute === null || attribute === undefined) return undefined;
  const value: unknown = defaultPayloadConverter.fromPayload(attribute);
  return String(Array.isArray(value) ? value[0] : value);
}
