import { countStanding, type StandingCount } from '../../../db/assignments/standing-counts.js';
import type { Tx } from '../../../db/tx.js';
import type { StoredTaskTree } from './task-tree.js';
import type { RevisionWithTasks } from './workflow-revisions.js';

/** The most active assignments that are counted, of a workflow that may have a million. */
const maxCounted = 10_000;
/** The groups that are told, the largest first. */
const maxGroups = 100;

/** What a revision means for assignments that stand in a task, with the sentence that says it. */
export const standingEffects = {
  same_revision: 'They run on this revision already: nothing changes for them',
  task_kept: 'They keep their revision. This revision has their task as well, by its uuid',
  task_removed: 'They keep their revision, and go on from a task that this revision does not have',
} as const;
export type StandingEffect = keyof typeof standingEffects;

interface StandingGroup extends Omit<StandingCount, 'taskId'> {
  effect: StandingEffect;
  message: string;
}

/** Where the active assignments of a workflow stand, and what a revision means for them. */
export interface RevisionImpact {
  /** The revision with which new assignments begin; null if there is none. */
  newAssignments: { revisionId: number | null; revisionNumber: number | null; message: string };
  /** The number of active assignments, counted up to 10,000. */
  total: number;
  totalIsExact: boolean;
  groups: StandingGroup[];
  /** Whether there are more groups than these. */
  isCut: boolean;
}

/** `active`: the revision that is active once the change is made. */
export async function readImpact(
  tx: Tx,
  revision: Pick<RevisionWithTasks, 'id' | 'number' | 'definitionId' | 'rootTask'>,
  active: { id: number; number: number } | undefined,
): Promise<RevisionImpact> {
  const counts = await countStanding(tx, revision.definitionId, maxCounted + 1);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const uuids = uuidsOf(revision.rootTask);
  const totalIsExact = total <= maxCounted;
  return {
    newAssignments: {
      revisionId: active?.id ?? null,
      revisionNumber: active?.number ?? null,
      message:
        active === undefined
          ? 'No assignment can begin: the workflow has no active revision.'
          : `New assignments begin with revision ${active.number}.`,
    },
    total: Math.min(total, maxCounted),
    totalIsExact,
    groups: counts.slice(0, maxGroups).map(({ taskId: _, ...group }) => {
      const effect = effectOf(group, revision.id, uuids);
      return { ...group, effect, message: sentenceOf(group, effect, revision.number, totalIsExact) };
    }),
    isCut: counts.length > maxGroups,
  };
}

function uuidsOf(root: StoredTaskTree | null): Set<string> {
  const uuids = new Set<string>();
  const add = (task: StoredTaskTree): void => {
    uuids.add(task.uuid);
    task.children.forEach(add);
  };
  if (root !== null) add(root);
  return uuids;
}

function effectOf(
  { revisionId, taskUuid }: Pick<StandingCount, 'revisionId' | 'taskUuid'>,
  id: number,
  uuids: ReadonlySet<string>,
): StandingEffect {
  if (revisionId === id) return 'same_revision';
  return uuids.has(taskUuid) ? 'task_kept' : 'task_removed';
}

function sentenceOf(
  { count, taskName, revisionNumber: theirs }: Omit<StandingCount, 'taskId'>,
  effect: StandingEffect,
  number: number,
  isExact: boolean,
): string {
  const [how, stand, keep] =
    count === 1 ? ['assignment', 'stands', 'It keeps'] : ['assignments', 'stand', 'They keep'];
  const standing = `${isExact ? '' : 'At least '}${count} active ${how} ${stand} in "${taskName}" of revision ${theirs}.`;
  switch (effect) {
    case 'same_revision':
      return `${standing} Nothing changes for ${count === 1 ? 'it' : 'them'}.`;
    case 'task_kept':
      return `${standing} ${keep} revision ${theirs}; the task of revision ${number} is for new assignments.`;
    case 'task_removed':
      return `${standing} ${keep} revision ${theirs}; revision ${number} no longer has this task.`;
  }
}
