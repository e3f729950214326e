import { abilities, isAbilityType } from '../../kernel/abilities.js';
import type { HttpRequestConfig } from '../../kernel/ability-configs.js';
import { type CelIssue, checkExpression, maxCost } from '../../lib/cel.js';
import { exceeds } from '../../lib/characters.js';
import { checkDuration } from '../../lib/duration.js';
import type { FieldError } from '../../lib/errors.js';
import { checkBySchema, type JsonSchema } from '../../lib/json-schema.js';
import { isName, nameForm } from '../../lib/names.js';
import { checkTemplate } from '../../lib/template.js';
import { type TaskType, taskTypes } from '../task-tree/task-types.js';
import { checkRequests } from './check-requests.js';
import { configurationConditions, configurationSchemas, configurationTemplates } from './configurations.js';
import { expressionsOfTask } from './expressions-of-task.js';
import type { RevisionAbility, RevisionTask } from './types.js';
import { ofTask, walkTasks } from './walk-tasks.js';

const maxTasks = 500;
const maxDepth = 20;
/** The maximum number of steps of all distinct expressions of a definition. */
const maxTreeCost = 5 * maxCost;

/** Every reason why a revision cannot be saved. A draft may be unfinished, but its content must be well formed. */
export function checkRevision(tasks: readonly RevisionTask[]): FieldError[] {
  const errors: FieldError[] = [];
  const uuids = new Set<string>();
  let count = 0;

  if (tasks.length > 1) errors.push({ pointer: '/tasks/1', message: 'A revision has one root task' });
  for (const { task, pointer, ancestors } of walkTasks(tasks, maxDepth)) {
    count += 1;
    if (count > maxTasks) {
      return [...errors, { pointer: '/tasks', message: `A revision has at most ${maxTasks} tasks` }];
    }
    if (ancestors.length + 1 === maxDepth && (task.children?.length ?? 0) > 0) {
      errors.push({ pointer: `${pointer}/children`, message: `Tasks are at most ${maxDepth} levels deep` });
    }
    const uuid = task.uuid?.toLowerCase();
    if (uuid !== undefined && uuids.has(uuid)) {
      errors.push({ pointer: `${pointer}/uuid`, message: 'Another task has this uuid' });
    }
    if (uuid !== undefined) uuids.add(uuid);
    errors.push(...checkTask(task, pointer));
  }
  return [...errors, ...checkTreeCost(tasks)];
}

/** Returns an error for the first expression at which the total cost of the definition exceeds the limit. */
function checkTreeCost(tasks: readonly RevisionTask[]): FieldError[] {
  const counted = new Set<string>();
  let cost = 0;
  for (const { task, pointer } of walkTasks(tasks, maxDepth)) {
    for (const expression of expressionsOfTask(task)) {
      if (counted.has(expression.text)) continue;
      counted.add(expression.text);
      const checked = checkExpression(expression.text);
      if (checked.ok) cost += checked.cost;
      if (cost <= maxTreeCost) continue;
      const message = `Task "${task.name}": the expressions of the definition could together take too long`;
      return [{ pointer: pointer + expression.pointer, message }];
    }
  }
  return [];
}

/** Checks one task, apart from its place in the tree. */
function checkTask(task: RevisionTask, pointer: string): FieldError[] {
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

function checkConfiguration({ taskType, configuration = {} }: RevisionTask): FieldError[] {
  if (!isTaskType(taskType)) {
    return [{ pointer: '/taskType', message: `the task type must be one of ${taskTypes.join(', ')}` }];
  }
  const schema = configurationSchemas[taskType] as unknown as JsonSchema;
  const errors = prefix('/configuration', checkBySchema(schema, configuration, `a ${taskType}`));
  if (errors.length > 0) return errors;
  const templates = configurationTemplates[taskType] ?? [];
  return [
    ...templates.flatMap((key) => checkTemplateAt(`/configuration/${key}`, configuration[key])),
    ...(configurationConditions[taskType] ?? []).flatMap((key) =>
      checkConditionAt(`/configuration/${key}`, textOf(configuration[key])),
    ),
    ...(taskType === 'wait' || taskType === 'collect'
      ? ['for', 'atMost'].flatMap((key) => checkWaitDuration(key, configuration[key]))
      : []),
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function checkWaitDuration(key: string, duration: unknown): FieldError[] {
  if (typeof duration !== 'string') return [];
  const checked = checkDuration(duration);
  return checked.ok ? [] : [{ pointer: `/configuration/${key}`, message: checked.message }];
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
  const errors = checkBySchema(schema, ability.config ?? {}, `the ability ${ability.abilityType}`);
  if (errors.length === 0 && ability.abilityType === 'http_request') {
    errors.push(...checkRequests(ability.config as unknown as HttpRequestConfig));
  }
  return [...prefix('/config', errors), ...checkConditionAt('/celCondition', ability.celCondition)];
}

function checkConditionAt(pointer: string, expression: string | null | undefined): FieldError[] {
  if (expression === null || expression === undefined) return [];
  const checked = checkExpression(expression, 'boolean');
  return checked.ok ? [] : [issueAt(pointer, checked)];
}

function checkTemplateAt(pointer: string, template: unknown): FieldError[] {
  const checked = checkTemplate(typeof template === 'string' ? template : '');
  const issues = checked.ok ? [] : checked.issues;
  return issues.map((issue) => issueAt(pointer, issue));
}

function issueAt(pointer: string, { message, position }: CelIssue): FieldError {
  return { pointer, message: `is not valid: ${message} (at position ${position})` };
}

function prefix(pointer: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, pointer: pointer + error.pointer }));
}

function isTaskType(text: string): text is TaskType {
  return (taskTypes as readonly string[]).includes(text);
}
