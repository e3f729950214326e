import { describe, expect, it } from 'vitest';
import { inheritedAbilities } from '../../../../domain/definitions/task-tree/inherited-abilities.js';
import { celContext } from '../../cel-context.js';
import { named, type Sketch, taskTree } from './tasks.js';

function inForce(root: Sketch, name: string): string[] {
  const tree = taskTree(root);
  return inheritedAbilities(tree, named(tree, name), celContext()).map(
    ({ ability, task }) => `${ability.abilityType} of ${task.name}`,
  );
}

describe('inheritedAbilities', () => {
  it('omits abilities that are disabled or whose condition does not hold or fails', () => {
    const abilities = [
      { abilityType: 'handoff', enabled: false },
      { abilityType: 'send_sms', celCondition: 'member.id == 0' },
      { abilityType: 'read_data', celCondition: 'member.form_data.missing.age > 1' },
      { abilityType: 'conclude', celCondition: 'member.id == 7' },
    ];
    expect(inForce({ name: 'root', abilities }, 'root')).toEqual(['conclude of root']);
  });

  it('inherits from ancestors, where the nearest declaration of a type wins', () => {
    const root = {
      name: 'root',
      abilities: [{ abilityType: 'handoff' }, { abilityType: 'conclude' }, { abilityType: 'send_sms' }],
      children: [
        {
          name: 'a',
          abilities: [{ abilityType: 'conclude' }, { abilityType: 'send_sms', enabled: false }],
          children: [{ name: 'a1' }],
        },
      ],
    };
    expect(inForce(root, 'a1')).toEqual(['handoff of root', 'conclude of a']);
    expect(inForce(root, 'root')).toEqual(['handoff of root', 'conclude of root', 'send_sms of root']);
  });
});
