import type { Evidence, Invariants, VisitFact } from '../evidence.js';
import { groupBy } from '../group-by.js';
import { type Entry, expected } from '../ledger.js';

const place = (assignmentId: number | undefined, room: string | undefined): string =>
  `“${room}” of assignment ${assignmentId}`;

const taskName = (id: number | null | undefined) =>
  id === undefined || id === null ? 'nowhere' : `task ${id}`;

function stray(visit: VisitFact, before: VisitFact | undefined): string[] {
  if (visit.fromTaskId !== (before?.taskId ?? null)) {
    return [
      `visit ${visit.id} comes from ${taskName(visit.fromTaskId)}, the one before led to ${taskName(before?.taskId)}`,
    ];
  }
  if (visit.requestUuid === null && visit.fromTaskId === visit.taskId) {
    return [`visit ${visit.id} enters task ${visit.taskId} a second time by itself`];
  }
  return [];
}

export const taskInvariants: Invariants = {
  /** A task was entered by request as often as a request was accepted. */
  'selected-once'({ ledger, visits, tasks }) {
    const nameOf = new Map(tasks.map(({ id, name }) => [id, name]));
    const requested = visits.filter(({ requestUuid }) => requestUuid !== null);
    const entered = groupBy(requested, ({ assignmentId, taskId }) => place(assignmentId, nameOf.get(taskId)));
    const asked = groupBy(ledger, (entry) =>
      entry.operation.kind === 'select' ? place(entry.assignmentId, entry.operation.room) : undefined,
    );
    const places = new Set([...entered.keys(), ...asked.keys()]);
    return [...places].flatMap((where) => {
      if (where === undefined) return [];
      const found = entered.get(where)?.length ?? 0;
      const { atLeast, atMost } = expected(
        (asked.get(where) ?? []).flatMap((entry: Entry) => entry.attempts),
      );
      if (found >= atLeast && found <= atMost) return [];
      return [`${where} was entered ${found} times by request, expected ${atLeast} to ${atMost}`];
    });
  },
  /**
   * Visits of an assignment begin at the root once, each goes on where the one before stood, and the last is current.
   */
  'visits-are-a-path'({ assignments, visits, tasks }) {
    const ofAssignment = groupBy(visits, ({ assignmentId }) => assignmentId);
    return assignments.flatMap(({ id, currentTaskId, status }) => {
      const path = ofAssignment.get(id) ?? [];
      const found = path.flatMap((visit, index) => stray(visit, path[index - 1]));
      const last = path.at(-1);
      if (last === undefined) return [`assignment ${id} has no visit`];
      if (status === 'active' && last.taskId !== currentTaskId) {
        found.push(`assignment ${id} stands in task ${currentTaskId}, its last visit is to ${last.taskId}`);
      }
      const seen = new Set(path.map(({ taskId }) => taskId));
      const unseen = tasks.filter((task) => task.assignmentId === id && task.visited !== seen.has(task.id));
      found.push(
        ...unseen.map(
          (task) =>
            `task ${task.id} is ${task.visited ? '' : 'not '}marked as visited, its visits say otherwise`,
        ),
      );
      return found;
    });
  },
  /** Nobody was in the locked room before the open one. */
  'guards-hold'({ visits, tasks }: Evidence) {
    const nameOf = new Map(tasks.map(({ id, name }) => [id, name]));
    return [...groupBy(visits, ({ assignmentId }) => assignmentId)].flatMap(([assignmentId, path]) => {
      const names = path.map(({ taskId }) => nameOf.get(taskId));
      const locked = names.indexOf('Locked');
      const open = names.indexOf('Open');
      if (locked === -1 || (open !== -1 && open < locked)) return [];
      return [`assignment ${assignmentId} went ${names.join(' → ')}`];
    });
  },
};
