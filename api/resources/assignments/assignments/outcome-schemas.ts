import Type from 'typebox';
import { outcomeGroups } from '../../../../db/assignments/outcome-counts.js';
import { dayRange, TimezoneOfDays } from '../../../http/day-range.js';
import { Id, OneOf, Picked } from '../../../http/schemas.js';

export const OutcomesQuery = Type.Object({
  ...dayRange,
  groupBy: OneOf(outcomeGroups, { default: 'workflow', description: 'What the items are counts of' }),
  workflowId: Type.Optional({ ...Id, description: 'Only assignments of this workflow' }),
  isTest: Type.Optional(Type.Boolean()),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });
const counts = {
  total: count('How many assignments'),
  active: count('How many of them go on'),
  completed: count('How many of them were completed'),
  cancelled: count('How many of them were cancelled'),
  failed: count('How many of them failed'),
};
const ofTask = 'if grouped by task; absent where the assignments have none';

export const OutcomesResponse = Type.Object(
  {
    timezone: TimezoneOfDays,
    ...counts,
    items: Type.Array(
      Picked(
        {
          workflowId: { ...Id, description: 'The workflow' },
          workflowName: Type.String({ description: 'The name of the workflow' }),
          revisionId: Type.Optional({ ...Id, description: 'The revision, if grouped by task' }),
          revisionNumber: Type.Optional(
            Type.Integer({ minimum: 1, description: 'The number of the revision, if grouped by task' }),
          ),
          taskId: Type.Optional({ ...Id, description: `The id of the task in its revision, ${ofTask}` }),
          taskName: Type.Optional(Type.String({ description: `The name of the task, ${ofTask}` })),
          ...counts,
        },
        { $id: 'AssignmentOutcomesItem' },
      ),
      { description: 'The 1,000 workflows or tasks with the most assignments, the largest first' },
    ),
  },
  { $id: 'AssignmentOutcomesResponse' },
);
