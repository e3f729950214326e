import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';

/** Two tasks that can be selected alternately and that send no messages. */
export const waitingTasks: RevisionTask = {
  name: 'Root',
  taskType: 'wait',
  configuration: { for: 'P30D' },
  children: [
    { name: 'One', taskType: 'wait', configuration: { for: 'P30D' }, autoNext: true },
    { name: 'Other', taskType: 'wait', configuration: { for: 'P30D' }, autoNext: true },
  ],
};

/**
 * The number of SQL statements of one select, without those that begin and end transactions: two to authenticate,
 * four to read what the request names, twenty-one in the run's step, two for the response. A test checks the number.
 */
export const statements = 29;
