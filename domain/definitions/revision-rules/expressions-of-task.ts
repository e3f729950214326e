import { expressionsOf } from '../../lib/template.js';
import { configurationTemplates } from './configurations.js';
import type { RevisionTask } from './types.js';

interface PlacedExpression {
  /** JSON pointer within the task. */
  pointer: string;
  text: string;
}

type TaskWithExpressions = Pick<
  RevisionTask,
  'taskType' | 'prompt' | 'shortPrompt' | 'choicePrompt' | 'configuration' | 'celGuard' | 'celCondition'
> & { abilities?: readonly { celCondition?: string | null | undefined }[] | undefined };

/** Every condition of a task, and every expression in its templates. */
export function expressionsOfTask(task: TaskWithExpressions): PlacedExpression[] {
  const conditions = [
    { pointer: '/celGuard', text: task.celGuard },
    { pointer: '/celCondition', text: task.celCondition },
    ...(task.abilities ?? []).map(({ celCondition }, index) => ({
      pointer: `/abilities/${index}/celCondition`,
      text: celCondition,
    })),
  ];
  const configured = configurationTemplates[task.taskType as keyof typeof configurationTemplates] ?? [];
  const templates = [
    ...(['prompt', 'shortPrompt', 'choicePrompt'] as const).map((key) => ({
      pointer: `/${key}`,
      text: task[key],
    })),
    ...configured.map((key) => ({ pointer: `/configuration/${key}`, text: task.configuration?.[key] })),
  ];
  return [
    ...conditions.filter(isGiven),
    ...templates
      .filter(isGiven)
      .flatMap(({ pointer, text }) =>
        expressionsOf(text).map((expression) => ({ pointer, text: expression })),
      ),
  ];
}

function isGiven(place: { pointer: string; text: unknown }): place is PlacedExpression {
  return typeof place.text === 'string';
}
