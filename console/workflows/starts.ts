import { newUuid } from '../kit/new-uuid.js';
import type { Task, TaskType } from './task-document.js';
import type { WorkflowTexts } from './texts/en.js';

/** A task without anything below it. */
export function newTask(
  name: string,
  taskType: TaskType,
  fields: Omit<Partial<Task>, 'name' | 'taskType'> = {},
): Task {
  return { configuration: {}, children: [], ...fields, uuid: newUuid(), name, taskType };
}

/** A workflow of a single message. */
export function messageStart({ newNames, newTexts }: WorkflowTexts): Task {
  return newTask(newNames.message, 'message', { autoNext: true, configuration: { text: newTexts.message } });
}

/** A workflow that asks, and goes on by the answer. */
export function questionStart({ newNames, newTexts }: WorkflowTexts): Task {
  const answer = (name: string, choicePrompt: string) =>
    newTask(name, 'message', { choicePrompt, autoNext: true, configuration: { text: newTexts.thanks } });
  return newTask(newNames.ask, 'conversation', {
    prompt: newTexts.ask,
    children: [answer(newNames.yes, newTexts.yes), answer(newNames.no, newTexts.no)],
  });
}

interface KnownType {
  slug: string;
  fields: readonly { slug: string }[];
}

/** What a task of a type has at first, so that the draft can be saved and goes on behind it. */
export function firstFields(
  taskType: TaskType,
  dataType: KnownType | undefined,
  texts: WorkflowTexts,
): Partial<Task> {
  const first: Record<TaskType, Partial<Task>> = {
    message: { autoNext: true, configuration: { text: texts.newTexts.message } },
    conversation: { autoNext: true },
    collect: {
      autoNext: true,
      configuration: {
        dataTypeSlug: dataType?.slug ?? '',
        fieldSlugs: dataType?.fields.slice(0, 1).map(({ slug }) => slug) ?? [],
        atMost: 'P7D',
      },
    },
    wait: { autoNext: true, configuration: { for: 'P1D', unlessReply: true } },
    decision: { configuration: { otherwise: 'next' } },
    call: { autoNext: true },
    handoff: { autoNext: true },
    conclude: {},
  };
  return first[taskType];
}
