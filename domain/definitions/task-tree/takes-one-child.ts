/** A decision takes one child itself; in the others the agent talks until one is selected. */
const choosing: ReadonlySet<string> = new Set(['decision', 'conversation', 'call']);

/**
 * Whether one of the children of a task is taken and the others are skipped: after a decision, a conversation and a call, and
 * wherever the agent chooses because the task does not go on by itself. Otherwise the children are steps.
 */
export function takesOneChild(task: { taskType: string; autoNext?: boolean | undefined }): boolean {
  return choosing.has(task.taskType) || task.autoNext !== true;
}

interface Configured {
  configuration?: Record<string, unknown> | undefined;
}

/**
 * Whether a decision goes on behind its children while none may be entered. Otherwise it stands, and a
 * colleague is alerted.
 */
export function goesOnOtherwise({ configuration }: Configured): boolean {
  return configuration?.otherwise === 'next';
}
