import { abilities, isAbilityType } from '../../kernel/abilities.js';
import { isNeverTrue } from '../../lib/cel/environment.js';
import type { FieldError } from '../../lib/errors.js';
import { checkRevision } from './check-revision.js';
import { checkWait } from './check-wait.js';
import type { RevisionAbility, RevisionTask } from './types.js';
import { ofTask, type Visit, walkTasks } from './walk-tasks.js';

type DataTypes = readonly { slug: string; fields: readonly { slug: string }[] }[];

/** Every reason why a revision cannot be published: it is immutable and runs for years, so no failure may be left. */
export function checkPublishable(tasks: readonly RevisionTask[], dataTypes: DataTypes): FieldError[] {
  if (tasks.length === 0) return [{ pointer: '/tasks', message: 'The revision has no tasks' }];
  const errors = checkRevision(tasks);
  for (const visit of walkTasks(tasks)) {
    const { taskType, configuration, abilities = [] } = visit.task;
    const collects = taskType === 'collect' ? configuration : undefined;
    const found = [
      ...checkTaskType(visit),
      ...checkDataReference(collects, dataTypes, '/configuration'),
      ...checkReachable(visit),
      ...abilities.flatMap((ability, index) => checkAbility(ability, `/abilities/${index}`, dataTypes)),
    ];
    errors.push(...found.map((error) => ofTask(visit, error)));
  }
  return errors;
}

function checkTaskType({ task, ancestors }: Visit): FieldError[] {
  const childCount = task.children?.length ?? 0;
  const configuration = task.configuration ?? {};
  switch (task.taskType) {
    case 'call':
      return [{ pointer: '/taskType', message: 'this version cannot place calls from a task yet' }];
    case 'decision':
      return childCount === 0 ? [{ pointer: '/children', message: 'a decision needs children to take' }] : [];
    case 'conversation':
      if (childCount > 0 || task.autoNext || hasWayOut([...ancestors, task])) return [];
      return [{ pointer: '', message: endless }];
    case 'wait':
      return checkWait(configuration);
    case 'conclude':
      return childCount > 0 ? [{ pointer: '/children', message: 'nothing comes after conclude' }] : [];
    default:
      return [];
  }
}

const endless =
  'a conversation needs children, autoNext or the ability conclude or handoff to come to an end';

function hasWayOut(lineage: readonly RevisionTask[]): boolean {
  const declared = lineage.flatMap((task) => task.abilities ?? []);
  const nearest = new Map(declared.map((ability) => [ability.abilityType, ability]));
  return ['conclude', 'handoff'].some((type) => nearest.has(type) && nearest.get(type)?.enabled !== false);
}

/** Finds tasks that can never be entered, and children that a decision can never take. */
function checkReachable({ task }: Visit): FieldError[] {
  const errors = (['celGuard', 'celCondition'] as const)
    .filter((key) => isNeverTrue(task[key] ?? ''))
    .map((key) => ({ pointer: `/${key}`, message: 'this is never true, so the task cannot be reached' }));
  if (task.taskType !== 'decision') return errors;
  const children = task.children ?? [];
  const always = children.findIndex((child) => !child.celCondition && !child.celGuard);
  const unreachable = always === -1 ? undefined : children[always + 1];
  if (unreachable) {
    errors.push({
      pointer: `/children/${always + 1}`,
      message: `the decision never takes "${unreachable.name}", as the child before it has no condition`,
    });
  }
  return errors;
}

function checkAbility(ability: RevisionAbility, pointer: string, dataTypes: DataTypes): FieldError[] {
  const { abilityType } = ability;
  if (!isAbilityType(abilityType)) return [];
  if (ability.enabled !== false && !abilities[abilityType].available) {
    return [{ pointer: `${pointer}/abilityType`, message: `this version does not have ${abilityType} yet` }];
  }
  if (abilityType !== 'save_data' && abilityType !== 'read_data') return [];
  const errors = checkDataReference(ability.config, dataTypes, `${pointer}/config`);
  if (abilityType === 'save_data' && ability.config?.fieldSlugs === undefined) {
    const message = 'is required: the fields that the agent may write';
    errors.unshift({ pointer: `${pointer}/config/fieldSlugs`, message });
  }
  return errors;
}

/** Checks that `dataTypeSlug` and `fieldSlugs` of a configuration exist. */
function checkDataReference(
  configuration: Record<string, unknown> | undefined,
  dataTypes: DataTypes,
  pointer: string,
): FieldError[] {
  const slug = configuration?.dataTypeSlug;
  if (typeof slug !== 'string') return [];
  const dataType = dataTypes.find((one) => one.slug === slug);
  if (!dataType) return [{ pointer: `${pointer}/dataTypeSlug`, message: `there is no data type ${slug}` }];
  const fieldSlugs = configuration?.fieldSlugs;
  if (!Array.isArray(fieldSlugs)) return [];
  const known = new Set<unknown>(dataType.fields.map((field) => field.slug));
  return fieldSlugs.flatMap((fieldSlug, index) =>
    known.has(fieldSlug)
      ? []
      : [{ pointer: `${pointer}/fieldSlugs/${index}`, message: `${slug} has no field ${String(fieldSlug)}` }],
  );
}
