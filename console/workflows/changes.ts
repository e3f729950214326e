import { placesOf, type Task } from './task-document.js';

export interface FieldChange {
  /** Such as `prompt` or `configuration/text`. */
  path: string;
  before: unknown;
  after: unknown;
}

export interface TaskChange {
  uuid: string;
  name: string;
  kind: 'added' | 'removed' | 'changed';
  isMoved: boolean;
  fields: FieldChange[];
}

/** What has changed between two revisions, by task: a task is the same by its uuid. */
export function changesBetween(before: Task | null, after: Task | null): TaskChange[] {
  const [old, now] = [before, after].map((root) => (root === null ? [] : placesOf(root)));
  const oldByUuid = new Map(old?.map((place) => [place.task.uuid, place]));
  const kept = new Set(now?.map(({ task }) => task.uuid));
  const removed = (old ?? [])
    .filter(({ task }) => !kept.has(task.uuid))
    .map(({ task }) => changeOf(task, 'removed'));
  const others = (now ?? []).flatMap(({ task, parent }): TaskChange[] => {
    const was = oldByUuid.get(task.uuid);
    if (was === undefined) return [changeOf(task, 'added')];
    const fields = fieldChanges(was.task, task);
    const isMoved =
      was.parent?.uuid !== parent?.uuid ||
      previous(task, parent, oldByUuid) !== previous(was.task, was.parent, kept);
    return fields.length === 0 && !isMoved ? [] : [{ ...changeOf(task, 'changed'), fields, isMoved }];
  });
  return [...others, ...removed];
}

const changeOf = ({ uuid, name }: Task, kind: TaskChange['kind']): TaskChange => ({
  uuid,
  name,
  kind,
  isMoved: false,
  fields: [],
});

/** The sibling before a task, of those that both revisions have. */
function previous(task: Task, parent: Task | undefined, known: { has(uuid: string): boolean }) {
  const siblings = (parent?.children ?? []).filter(({ uuid }) => known.has(uuid));
  return siblings[siblings.findIndex(({ uuid }) => uuid === task.uuid) - 1]?.uuid;
}

function fieldChanges(before: Task, after: Task): FieldChange[] {
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((path) => JSON.stringify(old[path]) !== JSON.stringify(now[path]))
    .map((path) => ({ path, before: old[path], after: now[path] }));
}

/** The fields by path, without the tree. */
function flat({ uuid: _, children: __, configuration, ...fields }: Task): Record<string, unknown> {
  const below = Object.entries(configuration).map(([key, value]) => [`configuration/${key}`, value]);
  return { ...fields, ...Object.fromEntries(below) };
}
