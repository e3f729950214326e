import { patchAssignmentTask } from '../../../../db/assignments/assignment-tasks.js';
import { type Happening, note, ofTask } from '../../timeline/note.js';
import { rowOf } from '../machine.js';
import type { Perform } from './effect.js';

export const wait: Perform<'wait'> = async (machine, { until, eventMark, endedBy }, { task }) => {
  const of = ofTask(machine, task);
  const happened: Happening[] = [];
  if (until !== null) happened.push({ kind: 'timer_set', ...of, until });
  if (endedBy === 'time' || endedBy === 'time_limit') happened.push({ kind: 'timer_came', ...of });
  const [row] = await Promise.all([
    patchAssignmentTask(machine.tx, rowOf(machine, task).id, {
      dueAt: until,
      ...(eventMark === undefined ? {} : { eventMark }),
      ...(endedBy === undefined ? {} : { endedBy }),
    }),
    note(machine, ...happened),
  ]);
  machine.rows.set(task.id, row);
};
