import { findActiveAssignments, selectActiveAssignments } from '../../db/assignments/assignments.js';
import { findDefinitionName } from '../../db/definitions/workflow-definitions.js';
import { subjectsWaiting } from '../../db/outbox.js';
import { alertColleague } from '../kernel/alert-colleague.js';
import type { ServiceContext } from '../kernel/context.js';
import { pagesById, type RowOfRun, type RowsOfRun } from '../kernel/reconcile-rows.js';
import { startAssignmentRun } from '../kernel/runs.js';
import { conclude } from './machine/conclude.js';
import { changeChat, lockMachine } from './machine/machine.js';

/**
 * Active assignments. A missing run is started again. One that was closed under its assignment, as by Terminate, cannot be
 * started with the same id, so the assignment fails and a colleague is alerted.
 */
export const activeAssignments: RowsOfRun = {
  ...pagesById({
    name: 'assignments',
    runType: 'runAssignment',
    select: (tx, { after, limit }) => selectActiveAssignments(tx, after, limit),
  }),
  async repair({ db, clock }, { workspaceId, id, uuid }, run) {
    const now = clock.now();
    return db.inWorkspace(workspaceId, async (tx) => {
      const machine = await lockMachine(tx, id, now, run === 'closed');
      if (machine?.assignment.status !== 'active') return undefined;
      const waiting = await subjectsWaiting(tx, 'runAssignment', [uuid]);
      if (waiting.size > 0) return undefined;
      if (run === 'missing') {
        const { assignment } = machine;
        const name = await findDefinitionName(tx, assignment.definitionId);
        await startAssignmentRun(tx, assignment, name, { woken: true });
        return 'restarted';
      }
      await changeChat(machine, (_tx, chat) => alertColleague(tx, chat, 'run_terminated'));
      await conclude(
        machine,
        { status: 'failed', outcome: 'run_terminated' },
        { by: 'automatic', inTurn: false },
      );
      return 'concluded';
    });
  },
};

/** Those of the assignments that are active although their runs have closed. */
export async function listActiveRunsOf(
  { db }: ServiceContext,
  workspaceId: number,
  assignmentUuids: readonly string[],
): Promise<RowOfRun[]> {
  const rows = await db.readInWorkspace(workspaceId, (tx) => findActiveAssignments(tx, assignmentUuids));
  return rows.map(({ id, uuid }) => ({ workspaceId, id, uuid }));
}
