import type { Schemas } from '../kit/api.js';

export const taskTypes = [
  'message',
  'conversation',
  'collect',
  'wait',
  'decision',
  'call',
  'handoff',
  'conclude',
] as const;
export type TaskType = (typeof taskTypes)[number];

/** A task as the editor changes it; fields that it has no control for are kept as they are. */
export interface Task {
  uuid: string;
  name: string;
  taskType: TaskType;
  configuration: Readonly<Record<string, unknown>>;
  children: readonly Task[];
  readonly [field: string]: unknown;
}

type StoredTask = Schemas['WorkflowTaskResponse'];

/** A task of a revision without what only the API may say. */
export function taskOf({ id: _, order: __, abilities, children, ...task }: StoredTask): Task {
  const declared = abilities.map(({ id: _id, uuid: _uuid, ...ability }) => ability);
  const given = Object.entries(task).filter(([, value]) => value !== null && value !== false);
  return {
    ...(Object.fromEntries(given) as unknown as Task),
    configuration: task.configuration,
    ...(declared.length === 0 ? {} : { abilities: declared }),
    children: children.map(taskOf),
  };
}

export interface Place {
  task: Task;
  parent: Task | undefined;
  /** Among its siblings. */
  index: number;
  /** A JSON pointer into the revision. */
  pointer: string;
}

/** All tasks in their order, with their places. */
export function placesOf(root: Task): Place[] {
  const below = (place: Place): Place[] => [
    place,
    ...place.task.children.flatMap((task, index) =>
      below({ task, parent: place.task, index, pointer: `${place.pointer}/children/${index}` }),
    ),
  ];
  return below({ task: root, parent: undefined, index: 0, pointer: '/rootTask' });
}

/** The place of the task that a pointer is in. */
export function placeAt(places: readonly Place[], pointer: string): Place | undefined {
  return places.findLast((place) => `${pointer}/`.startsWith(`${place.pointer}/`));
}

/** The tree with one task changed; `change` returns the tasks in its place. */
function replaced(task: Task, uuid: string, change: (task: Task) => readonly Task[]): readonly Task[] {
  if (task.uuid === uuid) return change(task);
  const children = task.children.flatMap((child) => replaced(child, uuid, change));
  const isSame =
    children.length === task.children.length && children.every((one, at) => one === task.children[at]);
  return [isSame ? task : { ...task, children }];
}

/** The root keeps its place, and so is always one. */
const inTree = (root: Task, uuid: string, change: (task: Task) => readonly Task[]): Task =>
  replaced(root, uuid, change)[0] ?? root;

export const changeTask = (root: Task, task: Task): Task => inTree(root, task.uuid, () => [task]);

export const removeTask = (root: Task, uuid: string): Task =>
  uuid === root.uuid ? root : inTree(root, uuid, () => []);

/** Adds a task behind another one, or as the last below it. The root has no siblings. */
export function addTask(root: Task, at: string, where: 'behind' | 'below', added: Task): Task {
  return inTree(root, at, (task) =>
    where === 'behind' && at !== root.uuid
      ? [task, added]
      : [{ ...task, children: [...task.children, added] }],
  );
}

export const moves = ['up', 'down', 'out', 'in'] as const;
export type Move = (typeof moves)[number];

/** The tree with a task moved: among its siblings, out behind its parent, or into the sibling before it. Undefined: it cannot. */
export function moveTask(root: Task, uuid: string, move: Move): Task | undefined {
  const place = placesOf(root).find(({ task }) => task.uuid === uuid);
  if (place?.parent === undefined) return undefined;
  const { task, parent, index } = place;
  const siblings = parent.children.filter((one) => one !== task);
  if (move === 'out') {
    return parent === root ? undefined : addTask(removeTask(root, uuid), parent.uuid, 'behind', task);
  }
  const before = parent.children[index - 1];
  if (move === 'in') {
    return before && addTask(removeTask(root, uuid), before.uuid, 'below', task);
  }
  const to = move === 'up' ? index - 1 : index + 1;
  if (to < 0 || to > siblings.length) return undefined;
  return changeTask(root, { ...parent, children: siblings.toSpliced(to, 0, task) });
}

/** The value at a path such as `configuration/text`. */
export function valueAt(task: Task, path: string): unknown {
  const [field = '', key] = path.split('/');
  return key === undefined ? task[field] : (task[field] as Record<string, unknown> | undefined)?.[key];
}

/** The task with a value at a path; what is empty is left out. */
export function withValue(task: Task, path: string, value: unknown): Task {
  const [field = '', key] = path.split('/');
  const isEmpty = value === undefined || value === '' || value === false;
  if (key !== undefined) {
    const { [key]: _, ...others } = task.configuration;
    return { ...task, configuration: isEmpty ? others : { ...others, [key]: value } };
  }
  if (field === 'name') return { ...task, name: String(value) };
  const { [field]: _, ...others } = task;
  return (isEmpty ? others : { ...others, [field]: value }) as Task;
}
