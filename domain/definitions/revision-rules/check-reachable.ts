import { isNeverTrue } from '../../lib/cel/environment.js';
import { takesOneChild } from '../task-tree/takes-one-child.js';
import { hasNoCondition } from './check-way-on.js';
import type { Finding } from './findings.js';
import { reachableTasks } from './reachable-tasks.js';
import type { RevisionTask } from './types.js';
import type { Visit } from './walk-tasks.js';

/** Returns a check that finds tasks that can never be entered, or only by a select. */
export function reachabilityCheck(visits: readonly Visit[]): (visit: Visit) => Finding[] {
  const byPeople = reachableTasks(visits, 'people');
  const byAgents = reachableTasks(visits, 'agents');
  return (visit) => {
    const { task, ancestors } = visit;
    const parent = ancestors.at(-1);
    const findings = [...neverTrue(task), ...checkChildrenOfDecision(task)];
    const isFirst = (reached: ReadonlySet<RevisionTask>) =>
      !reached.has(task) && (parent === undefined || reached.has(parent));
    if (findings.some(({ pointer }) => !pointer.startsWith('/children'))) return findings;
    if (isFirst(byPeople)) findings.push(neverEntered);
    else if (isFirst(byAgents) && !isNeverTaken(task, parent)) findings.push(unreachable);
    return [...findings, ...checkRequired(visit), ...checkRootCondition(visit)];
  };
}

function neverTrue(task: RevisionTask): Finding[] {
  return (['celGuard', 'celCondition'] as const)
    .filter((key) => isNeverTrue(task[key] ?? ''))
    .map((key) => ({ pointer: `/${key}`, message: 'this is never true, so the task cannot be reached' }));
}

/** Finds a child that a decision can never take. */
function checkChildrenOfDecision(task: RevisionTask): Finding[] {
  const unreached = task.children?.find((child) => isNeverTaken(child, task));
  if (unreached === undefined) return [];
  const pointer = `/children/${task.children?.indexOf(unreached)}`;
  const message = `the decision never takes "${unreached.name}", as the child before it has no condition`;
  return [{ pointer, message }];
}

/** Whether a child of a decision comes after one that is always taken. */
function isNeverTaken(task: RevisionTask, parent: RevisionTask | undefined): boolean {
  if (parent?.taskType !== 'decision') return false;
  const children = parent.children ?? [];
  const always = children.findIndex(hasNoCondition);
  return always !== -1 && children.indexOf(task) > always;
}

const neverEntered: Finding = {
  pointer: '/celGuard',
  message: 'this can never hold: the tasks that it asks for cannot be visited before',
};

const unreachable: Finding = {
  code: 'unreachable',
  pointer: '',
  message: 'nothing leads to this task: it is entered only if a person or a program selects it',
};

function checkRequired({ task, ancestors }: Visit): Finding[] {
  if (task.required !== true) return [];
  const lineage = [...ancestors, task];
  // A conclude ends the assignment also if required tasks remain.
  const isAlternative = ancestors.some(
    (ancestor, index) =>
      takesOneChild(ancestor) &&
      ancestor.children?.some((child) => child !== lineage[index + 1] && child.taskType !== 'conclude'),
  );
  if (!isAlternative) return [];
  const message =
    'is set, but another way may be taken: the agent then has to go to this task before the assignment completes';
  return [{ code: 'required_alternative', pointer: '/required', message }];
}

function checkRootCondition({ task, ancestors }: Visit): Finding[] {
  if (ancestors.length > 0 || !task.celCondition) return [];
  const message = 'is never evaluated: the root is entered without a condition';
  return [{ code: 'condition_without_effect', pointer: '/celCondition', message }];
}
