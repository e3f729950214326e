import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';

/** Two tasks to go back and forth between, in which nobody says anything. */
export const waitingTasks: RevisionTask = {
  name: 'Root',
  taskType: 'wait',
  configuration: { for: 'P30D' },
  children: [
    { name: 'One', taskType: 'wait', configuration: { for: 'P30D' } },
    { name: 'Other', taskType: 'wait', configuration: { for: 'P30D' } },
  ],
};
