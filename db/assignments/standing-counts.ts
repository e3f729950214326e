import { queryInIndexOrder } from '../lib/index-order.js';
import type { Tx } from '../tx.js';

/** How many active assignments stand in a task of a revision. */
export interface StandingCount {
  revisionId: number;
  revisionNumber: number;
  taskId: number;
  taskUuid: string;
  taskName: string;
  count: number;
}

/**
 * Counts the active assignments of a definition by revision and current task, the largest groups first: of at most
 * `limit` assignments, the oldest, so that the cost is bounded. Only the index of the active assignments of a definition
 * has the order that is asked for: with an equality it would be that of others as well, in which the planner might walk
 * past the assignments of all other definitions.
 */
export async function countStanding(tx: Tx, definitionId: number, limit: number): Promise<StandingCount[]> {
  return queryInIndexOrder(tx, {
    text: `with active as materialized (
        select revision_id, current_task_id from assignments
        where definition_id between ? and ? and status = 'active' order by definition_id, id limit ?),
      counted as materialized (
        select active.revision_id, current.task_id, count(*) as count
        from active join assignment_tasks current on current.id = active.current_task_id
        group by 1, 2)
      select counted.revision_id as "revisionId", revision.number as "revisionNumber", task.id as "taskId",
        task.uuid as "taskUuid", task.name as "taskName", counted.count
      from counted
      join workflow_revisions revision on revision.id = counted.revision_id
      join workflow_tasks task on task.id = counted.task_id
      order by counted.count desc, counted.revision_id, counted.task_id`,
    bindings: [definitionId, definitionId, limit],
  });
}

/** How many of the `limit` newest assignments of a definition have entered a task; by the same means. */
export async function countVisited(tx: Tx, definitionId: number, limit: number): Promise<StandingCount[]> {
  return queryInIndexOrder(tx, {
    text: `with newest as materialized (
        select id, revision_id from assignments
        where definition_id between ? and ? order by definition_id desc, id desc limit ?),
      counted as materialized (
        select newest.revision_id, visited.task_id, count(*) as count
        from newest join assignment_tasks visited on visited.assignment_id = newest.id
        where visited.visited_at is not null group by 1, 2)
      select counted.revision_id as "revisionId", revision.number as "revisionNumber", task.id as "taskId",
        task.uuid as "taskUuid", task.name as "taskName", counted.count
      from counted
      join workflow_revisions revision on revision.id = counted.revision_id
      join workflow_tasks task on task.id = counted.task_id`,
    bindings: [definitionId, definitionId, limit],
  });
}
