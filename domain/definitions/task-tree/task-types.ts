/** The task types, which determine what a task does on entry. */
export const taskTypes = [
  'conversation',
  'collect',
  'message',
  'wait',
  'decision',
  'call',
  'handoff',
  'conclude',
] as const;
export type TaskType = (typeof taskTypes)[number];

/** How what is owed when a call ends goes on: by text, or by a person. */
export const afterCallValues = ['text', 'stand'] as const;
export type AfterCall = (typeof afterCallValues)[number];
