import { mayHold } from '../../lib/cel.js';
import { goesOnOtherwise, takesOneChild } from '../task-tree/takes-one-child.js';
import { hasNoCondition } from './check-way-on.js';
import type { RevisionTask } from './types.js';
import type { Visit } from './walk-tasks.js';

/** Who enters tasks: `agents` are led by the tree; `people`, and programs, select any task whose guards hold. */
type Caller = 'agents' | 'people';

/**
 * The tasks that can ever be entered. Conditions are taken to hold unless they ask for a task that cannot have been
 * visited before. Entering one task may open others, so the tasks are gone through until nothing changes: a condition
 * that may hold goes on to, as more tasks are entered.
 */
export function reachableTasks(visits: readonly Visit[], by: Caller): Set<RevisionTask> {
  const [root] = visits;
  if (root === undefined) return new Set();
  const entered = new Set<string>();
  const holds = conditionsWhere(entered, new Set(visits.map(({ task }) => task.name)));
  /** Tasks whose guards, and those of their ancestors, may hold. */
  const open = new Set([root.task]);
  const led = new Set<RevisionTask>();
  const reached = new Set<RevisionTask>();
  const enter = (visit: Visit) => {
    reached.add(visit.task);
    entered.add(visit.task.name);
    for (const next of ledToFrom(visit)) led.add(next);
  };
  const isCalled = (task: RevisionTask) =>
    by === 'people' || task.required === true || (led.has(task) && holds(task.celCondition));
  enter(root);
  for (let before = 0; before < reached.size + open.size; ) {
    before = reached.size + open.size;
    for (const visit of visits) {
      const { task, ancestors } = visit;
      if (reached.has(task)) continue;
      const [parent = root.task] = ancestors.slice(-1);
      if (!open.has(task) && open.has(parent) && holds(task.celGuard)) open.add(task);
      if (open.has(task) && isCalled(task)) enter(visit);
    }
  }
  return reached;
}

/**
 * Returns whether a condition may hold, given the names of the tasks that were entered. Where it cannot, it is evaluated
 * again only once a task was entered that it asks for: a tree may have a condition for each of its tasks.
 */
function conditionsWhere(entered: ReadonlySet<string>, names: ReadonlySet<string>) {
  const lacking = new Map<string, string[]>();
  return (condition: string | null | undefined): boolean => {
    if (!condition) return true;
    if (lacking.get(condition)?.every((name) => !entered.has(name))) return false;
    const asked: string[] = [];
    const holds = mayHold(condition, (name) => {
      if (entered.has(name) || !names.has(name)) return true;
      asked.push(name);
      return false;
    });
    if (!holds) lacking.set(condition, asked);
    return holds;
  };
}

/** The tasks to which a task leads, as far as their conditions hold: by a choice of the agent, or by itself. */
function ledToFrom(visit: Visit): RevisionTask[] {
  const { task } = visit;
  const chosen = offersChildren(task) ? (task.children ?? []) : [];
  return task.autoNext || task.taskType === 'decision' ? [...chosen, ...nextOf(visit)] : [...chosen];
}

/** Whether the agent speaks while the task is current, so that it can choose among the children. */
function offersChildren({ taskType, autoNext = false }: RevisionTask): boolean {
  if (taskType === 'message' || taskType === 'handoff') return !autoNext;
  return taskType !== 'decision' && taskType !== 'conclude';
}

/** The tasks that may follow by themselves: up to the first without a condition, which is always entered. */
function nextOf({ task, ancestors }: Visit): RevisionTask[] {
  const next: RevisionTask[] = [];
  const lineage = [...ancestors, task];
  let later: readonly RevisionTask[] = task.children ?? [];
  for (;;) {
    const sure = later.findIndex(hasNoCondition);
    if (sure !== -1) return [...next, ...later.slice(0, sure + 1)];
    next.push(...later);
    if (lineage.at(-1) === task && task.taskType === 'decision' && !goesOnOtherwise(task)) return next;
    const done = lineage.pop();
    const parent = lineage.at(-1);
    if (done === undefined || parent === undefined) return next;
    const siblings = takesOneChild(parent) ? [] : (parent.children ?? []);
    later = siblings.slice(siblings.indexOf(done) + 1);
  }
}
