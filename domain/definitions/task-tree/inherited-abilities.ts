import { type CelContext, evaluateCondition } from '../../lib/cel.js';
import { ancestorsOf } from './tree.js';
import type { TaskAbility, TaskNode, TaskTree } from './types.js';

export interface AbilityInForce {
  ability: TaskAbility;
  task: TaskNode;
}

/** For each type of ability the nearest declaration applies, so that a task can narrow or disable an inherited one. */
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
