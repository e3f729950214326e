import { allOf, ifGiven } from '../lib/conditions.js';
import { statement } from '../statement.js';
import type { Tx } from '../tx.js';

/** What became of assignments of a workflow, or of those whose last task is one of a revision. */
export interface OutcomeCount extends Outcomes {
  workflowId: number;
  workflowName: string;
  revisionId: number | null;
  revisionNumber: number | null;
  taskId: number | null;
  taskName: string | null;
}

export interface Outcomes {
  total: number;
  active: number;
  completed: number;
  cancelled: number;
  failed: number;
}

export interface OutcomeFilter {
  begins: Date;
  ends: Date;
  definitionId?: number | undefined;
  isTest?: boolean | undefined;
}

export const outcomeGroups = ['workflow', 'task'] as const;
export type OutcomeGroup = (typeof outcomeGroups)[number];

const statuses = ['active', 'completed', 'cancelled', 'failed'];
const totals = statuses.map((status) => `sum(count) filter (where status = '${status}') as ${status}`);

/**
 * Counts the assignments that were created in a time, by workflow or by current task, and in all. The largest groups come
 * first, after the total.
 */
export async function countOutcomes(
  tx: Tx,
  groupBy: OutcomeGroup,
  { begins, ends, definitionId, isTest }: OutcomeFilter,
  limit: number,
): Promise<[Outcomes, ...OutcomeCount[]]> {
  const { text, bindings } = allOf([
    ['created_at >= ?', begins],
    ['created_at < ?', ends],
    ifGiven('definition_id = ?', definitionId),
    ifGiven('is_test = ?', isTest),
  ]);
  const task =
    groupBy === 'task'
      ? 'revision_id, (select task_id from assignment_tasks where id = current_task_id)'
      : 'null::bigint as revision_id, null::bigint';
  const [all, ...groups] = await statement<OutcomeCount>(
    tx,
    `with created as (
       select definition_id, status, ${task} as task_id, count(*) as count
       from assignments where ${text} group by 1, 2, 3, 4
     ),
     counted as (
       select definition_id, revision_id, task_id, sum(count) as total, ${totals.join(', ')}
       from created group by grouping sets ((definition_id, revision_id, task_id), ())
       order by grouping(definition_id) desc, total desc, definition_id, task_id limit ?
     )
     select counted.definition_id as "workflowId", definition.name as "workflowName", counted.revision_id as "revisionId",
       revision.number as "revisionNumber", counted.task_id as "taskId", task.name as "taskName",
       ${['total', ...statuses].map((name) => `coalesce(counted.${name}, 0)::integer as ${name}`).join(', ')}
     from counted
     left join workflow_definitions definition on definition.id = counted.definition_id
     left join workflow_revisions revision on revision.id = counted.revision_id
     left join workflow_tasks task on task.id = counted.task_id
     order by counted.definition_id is null desc, counted.total desc, counted.definition_id, counted.task_id`,
    [...bindings, limit + 1],
  );
  if (all === undefined) throw new Error('all are one group, also if there are none');
  return [all, ...groups];
}
