import { type CelContext, evaluateCondition } from '../../lib/cel.js';
import { ancestorsOf } from './relatives.js';
import type { TaskAbility, TaskNode, TaskTree } from './types.js';

/** An ability and the task that declares it. */
export interface AbilityInForce {
  ability: TaskAbility;
  task: TaskNode;
}

/**
 * The abilities in force in a task: its own and those of its ancestors. For each type the nearest declaration applies,
 * so that a task can narrow an inherited ability or remove it by a disabled declaration.
 */
export function inheritedAbilities(tree: TaskTree, task: TaskNode, context: CelContext): AbilityInForce[] {
  const nearest = new Map<string, AbilityInForce>();
  for (const owner of [...ancestorsOf(tree, task), task]) {
    for (const ability of owner.abilities) nearest.set(ability.abilityType, { ability, task: owner });
  }
  return [...nearest.values()].filter(
    ({ ability }) =>
      ability.enabled && (ability.celCondition === null || evaluateCondition(ability.celCondition, context)),
  );
}
