import { type AssignmentChanges, patchAssignment } from '../../db/assignments/assignments.js';
import type { CommandContext } from '../kernel/context.js';
import { pokeAssignmentRun } from '../kernel/runs.js';
import { NotFound } from '../lib/errors.js';
import { type AssignmentView, viewAssignment } from './assignment-view.js';
import { conclude, supersedeForEnd } from './machine/conclude.js';
import { lockMachine } from './machine/machine.js';
import { assignmentNotActive, writableAssignment } from './require-assignment.js';

interface UpdateAssignment extends Pick<AssignmentChanges, 'isTest' | 'outcome' | 'outcomeReason'> {
  /** Ends the assignment. */
  status?: 'completed' | 'failed';
}

/**
 * Every change needs `assignments:write`, in the caller's own assignment too, so that members cannot bypass guards.
 * @throws NotFound, Forbidden, Conflict `assignment_not_active` if it has already ended
 */
export async function updateAssignment(
  { db, actor, clock }: CommandContext,
  assignmentId: number,
  { status, ...changes }: UpdateAssignment,
): Promise<AssignmentView> {
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await writableAssignment(tx, actor, assignmentId);
    const given = [status, ...Object.values(changes)].some((value) => value !== undefined);
    if (given) actor.require('assignments:write');

    const machine = await lockMachine(tx, assignmentId, now);
    if (machine === undefined) throw new NotFound('Assignment');
    if (status !== undefined && machine.assignment.status !== 'active') throw assignmentNotActive();
    machine.assignment = await patchAssignment(tx, assignmentId, changes);
    if (status !== undefined) {
      await supersedeForEnd(machine);
      await conclude(machine, { status }, { by: 'operator', actorMemberId: actor.memberId, inTurn: false });
    }
    // A wait may be for a condition that reads the assignment.
    if (given && machine.assignment.status === 'active') await pokeAssignmentRun(tx, machine.assignment);
    return viewAssignment(tx, actor, machine.assignment, now);
  });
}
