import { expressionsOf } from '../../lib/template.js';
import type { TaskType } from '../task-tree/task-types.js';
import { configurationConditions, configurationTemplates } from './configurations.js';
import type { RevisionTask } from './types.js';

/** An expression of a task; `pointer` is a JSON pointer within the task. */
interface PlacedExpression {
  pointer: string;
  text: string;
}

/** Every condition of a task, and every expression in its templates. */
export function expressionsOfTask(task: RevisionTask): PlacedExpression[] {
  const conditions = [
    { pointer: '/celGuard', text: task.celGuard },
    { pointer: '/celCondition', text: task.celCondition },
    ...(task.abilities ?? []).map(({ celCondition }, index) => ({
      pointer: `/abilities/${index}/celCondition`,
      text: celCondition,
    })),
  ];
  const type = task.taskType as TaskType;
  const configuredConditions = (configurationConditions[type] ?? []).map((key) => ({
    pointer: `/configuration/${key}`,
    text: task.configuration?.[key],
  }));
  const configured = configurationTemplates[type] ?? [];
  const templates = [
    ...(['prompt', 'shortPrompt', 'choicePrompt'] as const).map((key) => ({
      pointer: `/${key}`,
      text: task[key],
    })),
    ...configured.map((key) => ({ pointer: `/configuration/${key}`, text: task.configuration?.[key] })),
  ];
  const inTemplates = templates
    .filter(isGiven)
    .flatMap(({ pointer, text }) => expressionsOf(text).map((expression) => ({ pointer, text: expression })));
  return [...[...conditions, ...configuredConditions].filter(isGiven), ...inTemplates];
}

function isGiven(place: { pointer: string; text: unknown }): place is PlacedExpression {
  return typeof place.text === 'string';
}
