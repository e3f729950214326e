import type { Static } from 'typebox';
import type { AbilityType, abilities } from '../../kernel/abilities.js';
import type { ToolSituation } from '../situation.js';

type ConfigOf<Type extends AbilityType> = Static<(typeof abilities)[Type]['config']>;

/** The configuration of an ability, as its author has written it; undefined if it is not in force. */
export function configOf<Type extends AbilityType>(
  { abilities: inForce }: Pick<ToolSituation, 'abilities'>,
  type: Type,
): ConfigOf<Type> | undefined {
  const found = inForce.find(({ ability }) => ability.abilityType === type);
  return found?.ability.config as ConfigOf<Type> | undefined;
}
