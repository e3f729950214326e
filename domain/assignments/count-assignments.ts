import { countStanding, countVisited, type StandingCount } from '../../db/assignments/standing-counts.js';
import { requireWorkflowDefinition } from '../definitions/workflow-definitions/require-definition.js';
import type { CommandContext } from '../kernel/context.js';

/** Counts end here, so that a workflow with a million assignments costs no more than one with some thousands. */
const maxActive = 10_000;
const maxNewest = 1_000;

interface TaskCount extends Omit<StandingCount, 'count'> {
  /** Active assignments whose current task it is. */
  current: number;
  /** Of the newest assignments, those that have entered it. */
  visited: number;
}

export interface AssignmentCounts {
  active: number;
  activeIsExact: boolean;
  newest: number;
  tasks: TaskCount[];
}

/** @throws NotFound, Forbidden */
export async function countAssignmentsOfWorkflow(
  { db, actor }: CommandContext,
  definitionId: number,
): Promise<AssignmentCounts> {
  actor.require('assignments:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requireWorkflowDefinition(tx, definitionId);
    const [current, visited] = await Promise.all([
      countStanding(tx, definitionId, maxActive + 1),
      countVisited(tx, definitionId, maxNewest),
    ]);
    const active = current.reduce((sum, { count }) => sum + count, 0);
    const tasks = new Map<number, TaskCount>();
    const at = ({ count, ...task }: StandingCount): TaskCount => {
      const known = tasks.get(task.taskId) ?? { ...task, current: 0, visited: 0 };
      tasks.set(task.taskId, known);
      return known;
    };
    for (const one of current) at(one).current = one.count;
    for (const one of visited) at(one).visited = one.count;
    return {
      active: Math.min(active, maxActive),
      activeIsExact: active <= maxActive,
      newest: newestOf(visited),
      tasks: [...tasks.values()].sort((a, b) => b.revisionNumber - a.revisionNumber || a.taskId - b.taskId),
    };
  });
}

/** Each assignment has entered the root of its revision, which is the first task of it. */
function newestOf(visited: readonly StandingCount[]): number {
  const roots = new Map<number, StandingCount>();
  for (const one of visited) {
    const root = roots.get(one.revisionId);
    if (root === undefined || one.taskId < root.taskId) roots.set(one.revisionId, one);
  }
  return [...roots.values()].reduce((sum, { count }) => sum + count, 0);
}
