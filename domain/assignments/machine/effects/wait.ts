import { patchAssignmentTask } from '../../../../db/assignments/assignment-tasks.js';
import { note, ofTask } from '../../timeline/note.js';
import { rowOf } from '../machine.js';
import type { Perform } from './effect.js';

export const wait: Perform<'wait'> = async (machine, { until, eventMark, endedBy }, { task }) => {
  const { id } = rowOf(machine, task);
  const timerSet = { kind: 'timer_set', ...ofTask(machine, task) } as const;
  const timerCame = { kind: 'timer_came', ...ofTask(machine, task) } as const;
  const isByTime = endedBy === 'time' || endedBy === 'time_limit';
  const [row] = await Promise.all([
    patchAssignmentTask(machine.tx, id, {
      dueAt: until,
      ...(eventMark === undefined ? {} : { eventMark }),
      ...(endedBy === undefined ? {} : { endedBy }),
    }),
    note(machine, ...(until === null ? [] : [{ ...timerSet, until }]), ...(isByTime ? [timerCame] : [])),
  ]);
  machine.rows.set(task.id, row);
};
