import {
  type CausedBy,
  insertTimelineEntries,
  type NewTimelineEntry,
  type TimelineEntryRow,
} from '../../../db/assignments/timeline-entries.js';
import type { PassedBy } from '../../definitions/task-tree/transitions.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { currentTask, type Machine, rowOf } from '../machine/machine.js';
import type { TimelineKind } from './kinds.js';

/** Who causes something: the agent, a person, or neither. */
export interface Cause {
  by: CausedBy;
  actorMemberId?: number | undefined;
}

export type Happening = Omit<NewTimelineEntry, 'assignmentId' | 'chatId' | 'kind'> & { kind: TimelineKind };

/** Notes what happened in an assignment, in one statement: ids, codes and times only. */
export async function note(
  { tx, assignment }: Machine,
  ...happened: readonly Happening[]
): Promise<TimelineEntryRow[]> {
  const of = { assignmentId: assignment.id, chatId: assignment.chatId };
  return insertTimelineEntries(
    tx,
    happened.map((one) => ({ ...of, ...one })),
  );
}

export function causeOf({ by, actorMemberId }: Cause): Pick<Happening, 'causedBy' | 'actorMemberId'> {
  return { causedBy: by, actorMemberId };
}

/** One step notes no more tasks than this that it passed by. */
const maxPassedBy = 20;

/** Tasks that could have come next, but whose guards or conditions did not hold. */
export function notBegun(machine: Machine, passed: readonly PassedBy[]): Happening[] {
  return passed.slice(0, maxPassedBy).map(({ task, rule, of }) => ({
    kind: 'not_begun',
    assignmentTaskId: rowOf(machine, task).id,
    code: rule,
    ruleTaskId: of.id,
  }));
}

/** A wait that is left before its time comes, if the current task is one. */
export function timerLeft(machine: Machine): Happening[] {
  const { id, dueAt, completedAt } = rowOf(machine, currentTask(machine));
  if (dueAt === null || completedAt !== null) return [];
  return [{ kind: 'timer_cancelled', assignmentTaskId: id, until: dueAt }];
}

export function ofTask(machine: Machine, task: TaskNode): Pick<Happening, 'assignmentTaskId'> {
  return { assignmentTaskId: rowOf(machine, task).id };
}
