import type { PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { AssignmentCancellationModel, AssignmentModel } from './models/assignment.js';
import { AssignmentTaskModel } from './models/assignment-task.js';
import { HeldAssignmentModel } from './models/held-assignment.js';
import { TimelineEntryModel } from './models/timeline-entry.js';

const ofOwnAssignment = 't.assignment_id in (select id from assignments where member_id = :member)';

/** What the tables of this area hold of a person. */
export const assignmentsTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: AssignmentCancellationModel,
      about: ofOwnAssignment,
      exported: { file: 'assignment-cancellations', internal: true },
      erased: { by: 'empty', kept: 'Who cancelled an assignment, and when.' },
    },
    {
      model: TimelineEntryModel,
      about: ofOwnAssignment,
      exported: { file: 'assignment-timelines', internal: true },
      erased: { by: 'keep', kept: 'What happened in an assignment, and who acted: codes, ids and times.' },
    },
    {
      model: AssignmentTaskModel,
      about: ofOwnAssignment,
      exported: {
        file: 'assignment-tasks',
        also: {
          taskName: `(select name from workflow_tasks w where w.workspace_id = t.workspace_id and w.id = t.task_id)`,
        },
      },
      erased: { by: 'keep', kept: 'Which tasks of a workflow were visited, and when.' },
    },
    {
      model: HeldAssignmentModel,
      about: ofOwnAssignment,
      exported: { not: 'A mark that the assignment waits for its workflow.' },
      erased: { by: 'delete' },
    },
    {
      model: AssignmentModel,
      about: 't.member_id = :member',
      exported: { file: 'assignments' },
      erased: {
        by: 'empty',
        columns: { outcome: "'member_erased'" },
        kept: 'That a workflow was begun and how it ended, as a code.',
      },
    },
  ],
  others: [],
};
