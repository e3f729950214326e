import { subjectsWaiting } from '../../db/outbox.js';
import { listActiveAssignments } from '../../db/queries/assignments.js';
import { findDefinitionName } from '../../db/queries/workflow-definitions.js';
import { callPerson } from '../chats/call-person.js';
import type { ServiceContext } from '../context.js';
import { startAssignmentRun } from '../runs.js';
import { conclude } from './machine/conclude.js';
import { lockMachine } from './machine/machine.js';

/** An active assignment, which a run should drive. */
export interface ActiveRun {
  workspaceId: number;
  assignmentId: number;
  assignmentUuid: string;
}

const batchSize = 100;

/** Active assignments of a workspace that do not wait for the relay. */
export async function* listActiveRuns(
  context: ServiceContext,
  workspaceId: number,
): AsyncGenerator<ActiveRun> {
  for (let afterId = 0; ; ) {
    const rows = await context.db.inWorkspace(workspaceId, async (tx) => {
      const active = await listActiveAssignments(tx, afterId, batchSize);
      const uuids = active.map((row) => row.uuid);
      const waiting = await subjectsWaiting(tx, 'runAssignment', uuids);
      return { all: active, settled: active.filter((row) => !waiting.has(row.uuid)) };
    });
    for (const row of rows.settled) {
      yield { workspaceId, assignmentId: row.id, assignmentUuid: row.uuid };
    }
    const last = rows.all.at(-1);
    if (last === undefined || rows.all.length < batchSize) return;
    afterId = last.id;
  }
}

/**
 * Mends an active assignment without a run. A run that is gone without trace is started again. One that was closed
 * under the assignment (an operator terminated it) can never be started again under its id: the assignment is
 * concluded as failed, and a person is called.
 */
export async function mendRun(
  context: ServiceContext,
  run: ActiveRun,
  status: 'closed' | 'missing',
): Promise<'restarted' | 'concluded' | undefined> {
  const now = context.clock.now();
  return context.db.inWorkspace(run.workspaceId, async (tx) => {
    const machine = await lockMachine(tx, run.assignmentId, now);
    if (machine?.assignment.status !== 'active') return undefined;
    const waiting = await subjectsWaiting(tx, 'runAssignment', [run.assignmentUuid]);
    if (waiting.size > 0) return undefined;
    if (status === 'missing') {
      const { assignment } = machine;
      await startAssignmentRun(tx, assignment, await findDefinitionName(tx, assignment.definitionId));
      return 'restarted';
    }
    machine.chat = await callPerson(tx, machine.chat, 'run_terminated');
    await conclude(machine, { status: 'failed', outcome: 'run_terminated' }, { inTurn: false });
    return 'concluded';
  });
}
