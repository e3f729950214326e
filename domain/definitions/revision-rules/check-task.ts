import { abilities, isAbilityType } from '../../kernel/abilities.js';
import { checkExpression } from '../../lib/cel.js';
import { exceeds } from '../../lib/characters.js';
import { checkDuration } from '../../lib/duration.js';
import type { FieldError } from '../../lib/errors.js';
import { checkBySchema, type JsonSchema } from '../../lib/json-schema.js';
import { isName, nameForm } from '../../lib/names.js';
import { checkTemplate } from '../../lib/template.js';
import { type TaskType, taskTypes } from '../task-tree/types.js';
import { configurationSchemas, configurationTemplates } from './configurations.js';
import type { RevisionAbility, RevisionTask } from './types.js';
import { ofTask } from './walk-tasks.js';

/** Checks one task, apart from its place in the tree. Messages name the task and the position. */
export function checkTask(task: RevisionTask, pointer: string): FieldError[] {
  return [
    ...checkName(task),
    ...(['prompt', 'shortPrompt', 'choicePrompt'] as const).flatMap((key) =>
      checkTemplateAt(`/${key}`, task[key]),
    ),
    ...checkConditionAt('/celGuard', task.celGuard),
    ...checkConditionAt('/celCondition', task.celCondition),
    ...checkConfiguration(task),
    ...checkAbilities(task.abilities ?? []),
  ].map((error) => ofTask({ task, pointer }, error));
}

function checkName(task: RevisionTask): FieldError[] {
  if (task.name === '' || exceeds(task.name, 200)) {
    return [{ pointer: '/name', message: 'the name must have 1 to 200 characters' }];
  }
  return isName(task.name) ? [] : [{ pointer: '/name', message: `the name ${nameForm}` }];
}

function checkConfiguration(task: RevisionTask): FieldError[] {
  if (!isTaskType(task.taskType)) {
    return [{ pointer: '/taskType', message: `the task type must be one of ${taskTypes.join(', ')}` }];
  }
  const configuration = task.configuration ?? {};
  const schema = configurationSchemas[task.taskType] as unknown as JsonSchema;
  const errors = prefix('/configuration', checkBySchema(schema, configuration));
  if (errors.length > 0) return errors;

  const templates = configurationTemplates[task.taskType] ?? [];
  const templateErrors = templates.flatMap((key) => {
    const text = configuration[key];
    return checkTemplateAt(`/configuration/${key}`, typeof text === 'string' ? text : null);
  });
  return [...templateErrors, ...checkWaitFor(task.taskType, configuration.for)];
}

function checkWaitFor(taskType: TaskType, duration: unknown): FieldError[] {
  if (taskType !== 'wait' || typeof duration !== 'string') return [];
  const checked = checkDuration(duration);
  return checked.ok ? [] : [{ pointer: '/configuration/for', message: checked.message }];
}

function checkAbilities(declared: readonly RevisionAbility[]): FieldError[] {
  const seen = new Set<string>();
  return declared.flatMap((ability, index) => {
    const { abilityType } = ability;
    const errors = checkAbility(ability);
    if (seen.has(abilityType)) {
      errors.push({ pointer: '/abilityType', message: `the ability ${abilityType} is declared twice` });
    }
    seen.add(abilityType);
    return prefix(`/abilities/${index}`, errors);
  });
}

function checkAbility(ability: RevisionAbility): FieldError[] {
  if (!isAbilityType(ability.abilityType)) {
    const message = `the ability must be one of ${Object.keys(abilities).join(', ')}`;
    return [{ pointer: '/abilityType', message }];
  }
  const schema = abilities[ability.abilityType].config as unknown as JsonSchema;
  return [
    ...prefix('/config', checkBySchema(schema, ability.config ?? {})),
    ...checkConditionAt('/celCondition', ability.celCondition),
  ];
}

function checkConditionAt(pointer: string, expression: string | null | undefined): FieldError[] {
  if (expression === null || expression === undefined) return [];
  const checked = checkExpression(expression, 'boolean');
  return checked.ok ? [] : [{ pointer, message: `${checked.message} (at position ${checked.position})` }];
}

function checkTemplateAt(pointer: string, template: string | null | undefined): FieldError[] {
  if (template === null || template === undefined) return [];
  const checked = checkTemplate(template);
  if (checked.ok) return [];
  return checked.issues.map(({ message, position }) => ({
    pointer,
    message: `${message} (at position ${position})`,
  }));
}

function prefix(pointer: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ pointer: pointer + error.pointer, message: error.message }));
}

function isTaskType(text: string): text is TaskType {
  return (taskTypes as readonly string[]).includes(text);
}
