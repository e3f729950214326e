import type { PersonTables } from '../lib/person-data.js';

const ofOwnAssignment = 't.assignment_id in (select id from assignments where member_id = :member)';

/** What the tables of this area hold of a person. */
export const assignmentsTables: PersonTables = {
  'public.assignment_cancellations': {
    personal: 'reason',
    rest: 'id workspace_id uuid assignment_id actor_member_id created_at',
    about: ofOwnAssignment,
    exported: { file: 'assignment-cancellations', internal: true },
    erased: { by: 'empty', columns: { reason: 'null' }, kept: 'Who cancelled an assignment, and when.' },
  },
  'public.assignment_timeline_entries': {
    rest: 'id workspace_id assignment_id assignment_task_id from_assignment_task_id request_uuid caused_by actor_member_id created_at kind chat_id revision code reason until message_id rule_task_id times',
    about: ofOwnAssignment,
    exported: { file: 'assignment-timelines', internal: true },
    erased: { by: 'keep', kept: 'What happened in an assignment, and who acted: codes, ids and times.' },
  },
  'public.assignment_tasks': {
    rest: 'id workspace_id uuid assignment_id task_id parent_id visited_at completed_at due_at message_id entered_after_message_id ended_by event_mark',
    about: ofOwnAssignment,
    exported: {
      file: 'assignment-tasks',
      also: {
        taskName: `(select name from workflow_tasks w where w.workspace_id = t.workspace_id and w.id = t.task_id)`,
      },
    },
    erased: { by: 'keep', kept: 'Which tasks of a workflow were visited, and when.' },
  },
  'public.held_assignments': {
    rest: 'id workspace_id definition_id assignment_id',
    about: ofOwnAssignment,
    exported: { not: 'A mark that the assignment waits for its workflow.' },
    erased: { by: 'delete' },
  },
  'public.assignments': {
    personal: 'outcome outcome_reason',
    rest: 'id workspace_id uuid member_id definition_id revision_id chat_id status concluded_at current_task_id automatic_steps is_test created_by_member_id created_at updated_at',
    about: 't.member_id = :member',
    exported: { file: 'assignments' },
    erased: {
      by: 'empty',
      columns: { outcome: "'member_erased'", outcome_reason: 'null' },
      kept: 'That a workflow was begun and how it ended, as a code.',
    },
  },
};
