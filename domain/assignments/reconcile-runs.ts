import { findActiveAssignments, selectActiveAssignments } from '../../db/assignments/assignments.js';
import { findDefinitionName } from '../../db/definitions/workflow-definitions.js';
import { subjectsWaiting } from '../../db/outbox.js';
import { callPerson } from '../kernel/call-person.js';
import type { ServiceContext } from '../kernel/context.js';
import { startAssignmentRun } from '../kernel/runs.js';
import type { WalkPage } from '../lib/paging.js';
import { conclude } from './machine/conclude.js';
import { lockMachine } from './machine/machine.js';

/** An active assignment, which should have a run. */
export interface ActiveRun {
  workspaceId: number;
  assignmentId: number;
  assignmentUuid: string;
}

const batchSize = 200;

/** The next page of active assignments, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfActiveRuns(
  context: ServiceContext,
  workspaceId: number,
  afterId = 0,
  limit = batchSize,
): Promise<WalkPage<ActiveRun, number>> {
  return context.db.readInWorkspace(workspaceId, async (tx) => {
    const active = await selectActiveAssignments(tx, afterId, limit);
    const runs = active.map(({ id, uuid }) => ({ workspaceId, assignmentId: id, assignmentUuid: uuid }));
    const uuids = active.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'runAssignment', uuids);
    const items = runs.filter(({ assignmentUuid }) => !waiting.has(assignmentUuid));
    return { items, next: active.length < limit ? undefined : active.at(-1)?.id };
  });
}

/** Those of the assignments that are active although their runs have closed. */
export async function listActiveRunsOf(
  context: ServiceContext,
  workspaceId: number,
  assignmentUuids: readonly string[],
): Promise<ActiveRun[]> {
  const { db } = context;
  const rows = await db.readInWorkspace(workspaceId, (tx) => findActiveAssignments(tx, assignmentUuids));
  return rows.map(({ id, uuid }) => ({ workspaceId, assignmentId: id, assignmentUuid: uuid }));
}

/**
 * Starts a missing run again. One that was closed under its assignment, as by Terminate, cannot be started with the
 * same id, so the assignment fails and a colleague is alerted.
 */
export async function reconcileRun(
  context: ServiceContext,
  run: ActiveRun,
  status: 'closed' | 'missing',
): Promise<'restarted' | 'concluded' | undefined> {
  const now = context.clock.now();
  return context.db.inWorkspace(run.workspaceId, async (tx) => {
    const machine = await lockMachine(tx, run.assignmentId, now, status === 'closed');
    if (machine?.assignment.status !== 'active') return undefined;
    const waiting = await subjectsWaiting(tx, 'runAssignment', [run.assignmentUuid]);
    if (waiting.size > 0) return undefined;
    if (status === 'missing') {
      const { assignment } = machine;
      const name = await findDefinitionName(tx, assignment.definitionId);
      await startAssignmentRun(tx, assignment, name, { woken: true });
      return 'restarted';
    }
    machine.chat = await callPerson(tx, machine.chat, 'run_terminated');
    await conclude(
      machine,
      { status: 'failed', outcome: 'run_terminated' },
      { by: 'automatic', inTurn: false },
    );
    return 'concluded';
  });
}
