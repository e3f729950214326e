import type { Task, TaskType } from './task-document.js';

type Kind = 'line' | 'text' | 'template' | 'condition' | 'duration' | 'count' | 'check';

/** A field of a task that has a control of its own. */
export interface FieldOfTask {
  /** Below the task: `prompt`, `configuration/text`. */
  path: string;
  kind: Kind;
}

const field = (path: string, kind: Kind): FieldOfTask => ({ path, kind });
const prompt = field('prompt', 'template');
const atMost = field('configuration/atMost', 'duration');

/** What a task of each type is about. What has a control elsewhere in the form is not among these. */
export const mainFields: Record<TaskType, readonly FieldOfTask[]> = {
  message: [field('configuration/text', 'template')],
  conversation: [prompt],
  collect: [prompt, atMost],
  wait: [field('configuration/unlessReply', 'check')],
  decision: [],
  call: [
    prompt,
    field('configuration/attempts', 'count'),
    field('configuration/retryAfter', 'duration'),
    field('configuration/voicemail', 'template'),
    field('configuration/phoneNumber', 'line'),
  ],
  handoff: [field('configuration/message', 'template'), field('configuration/reason', 'line')],
  conclude: [field('configuration/outcome', 'line'), field('configuration/outcomeReason', 'template')],
};

/** Keys of the configuration with a control of another form. */
const otherKeys: Partial<Record<TaskType, readonly string[]>> = {
  collect: ['dataTypeSlug', 'fieldSlugs'],
  wait: ['for', 'until', 'condition', 'event', 'atMost'],
  decision: ['otherwise', 'repeat', 'atMost'],
};

const ownFields = new Set([
  'uuid',
  'name',
  'taskType',
  'children',
  'configuration',
  'prompt',
  'choicePrompt',
  'description',
  'celGuard',
  'celCondition',
  'autoNext',
  'required',
]);

/** Whether the instructions of a type stand among its main fields; for the others they hold for what is below. */
export const hasMainPrompt = (taskType: TaskType): boolean => mainFields[taskType].includes(prompt);

/** What the form has no control for. */
export function otherSettings(task: Task): Record<string, unknown> {
  const own = new Set([
    ...(otherKeys[task.taskType] ?? []),
    ...mainFields[task.taskType].map(({ path }) => path.replace('configuration/', '')),
  ]);
  const keys = Object.entries(task.configuration).filter(([key]) => !own.has(key));
  const fields = Object.entries(task).filter(([name]) => !ownFields.has(name));
  return {
    ...Object.fromEntries(fields),
    ...(keys.length === 0 ? {} : { configuration: Object.fromEntries(keys) }),
  };
}

/** The task with these in place of what the form has no control for. */
export function withOtherSettings(task: Task, settings: Record<string, unknown>): Task {
  const { configuration = {}, ...fields } = settings;
  const old = otherSettings(task);
  const oldKeys = Object.keys((old.configuration as object | undefined) ?? {});
  const kept = Object.entries(task).filter(([name]) => ownFields.has(name));
  const keptKeys = Object.entries(task.configuration).filter(([key]) => !oldKeys.includes(key));
  const added = Object.entries(fields).filter(([name]) => !ownFields.has(name));
  return {
    ...(Object.fromEntries([...added, ...kept]) as unknown as Task),
    configuration: { ...(configuration as object), ...Object.fromEntries(keptKeys) },
  };
}
