import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';

/** Two tasks that can be selected alternately and that send no messages. */
export const waitingTasks: RevisionTask = {
  name: 'Root',
  taskType: 'wait',
  configuration: { for: 'P30D' },
  children: [
    { name: 'One', taskType: 'wait', configuration: { for: 'P30D' } },
    { name: 'Other', taskType: 'wait', configuration: { for: 'P30D' } },
  ],
};
