import { type ApiClient, ApiFailure, DemoError } from './api-client.js';
import { printLine } from './transcript.js';

interface Task {
  id: number;
  taskId: number;
  taskName: string;
  visitedAt: string | null;
  children: Task[];
}

export interface Assignment {
  id: number;
  uuid: string;
  status: string;
  outcome?: string;
  outcomeReason?: string;
  rootTask: Task;
  dataRecords: { id: number; dataTypeId: number; fieldValues: Record<string, unknown> }[];
}

/** The tasks that the assignment has entered, in their order. Those entered at once are in the order of the tree. */
export function visitedTasks({ rootTask }: Assignment): { name: string; taskId: number; at: string }[] {
  return flatten(rootTask)
    .flatMap(({ taskName: name, taskId, visitedAt: at }) => (at === null ? [] : [{ name, taskId, at }]))
    .sort((one, other) => one.at.localeCompare(other.at));
}

export function taskNames({ rootTask }: Assignment): Map<number, string> {
  return new Map(flatten(rootTask).map(({ taskId, taskName }) => [taskId, taskName]));
}

/** Shows that a guard also applies to an operator who tries to jump to the last task. */
export async function tryToJump(admin: ApiClient, assignment: Assignment): Promise<void> {
  const done = findTask(assignment, 'Done');
  try {
    await admin('PUT', `/assignments/${assignment.id}/tasks/${done?.id}/select`);
    throw new DemoError('A guard let an operator jump to the end.');
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    printLine('operator  tries to jump to “Done”', `refused: ${error.problem.code}`);
    printLine(`             ${error.problem.detail}`);
  }
}

/** The task of this name. */
export function findTask({ rootTask }: Assignment, name: string): { id: number } | undefined {
  return flatten(rootTask).find(({ taskName }) => taskName === name);
}

function flatten(task: Task): Task[] {
  return [task, ...task.children.flatMap(flatten)];
}
