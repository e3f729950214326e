import type { TaskNode } from '../definitions/task-tree/types.js';
import type { CelContext } from '../lib/cel.js';
import { renderTemplate } from '../lib/template.js';

/** A task that the agent may select. */
export interface Choice {
  uuid: string;
  text: string;
}

/** A child task as a choice: its choicePrompt, else its shortPrompt, else its name, on one line. */
export function describeChoice(task: TaskNode, context: CelContext): Choice {
  const texts = [task.choicePrompt, task.shortPrompt]
    .filter((template) => template !== null)
    .map((template) => renderTemplate(template, context, 'plain').text.replace(/\s+/g, ' ').trim());
  return { uuid: task.uuid, text: texts.find((text) => text !== '') ?? task.name };
}
