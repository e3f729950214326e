import type { Static } from 'typebox';
import type { AbilityType, abilities } from '../../kernel/abilities.js';
import type { ToolSituation } from '../situation.js';

/** The configuration of an ability, as its author has written it; undefined if it is not in force. */
export function configOf<Type extends AbilityType>(
  { abilities: inForce }: Pick<ToolSituation, 'abilities'>,
  type: Type,
): Static<(typeof abilities)[Type]['config']> | undefined {
  return inForce.find(({ ability }) => ability.abilityType === type)?.ability.config as never;
}
