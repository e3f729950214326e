import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../api/http/openapi.js';
import { routes } from '../../../api/resources/index.js';
import { checkRevision } from '../../../domain/definitions/revision-rules/check-revision.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { taskTypes } from '../../../domain/definitions/task-tree/task-types.js';
import { abilityTypes } from '../../../domain/kernel/abilities.js';
import { clinicIntake } from '../../../tools/dev/seed/clinic-intake.js';

const { components } = openApiDocument(routes);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', components });
const isDocumented = ajv.compile({ $ref: 'document#/components/schemas/WorkflowTaskInput' });

interface Alternatives {
  oneOf: object[];
  discriminator: { propertyName: string; mapping: Record<string, string> };
}

describe('the tasks in the OpenAPI document', () => {
  it.each([
    ['WorkflowTaskInput', 'taskType', taskTypes],
    ['AbilityInput', 'abilityType', abilityTypes],
  ])('have one alternative for each type: %s', (name, property, types) => {
    const { oneOf, discriminator } = components.schemas[name] as Alternatives;
    expect(discriminator.propertyName).toBe(property);
    expect(Object.keys(discriminator.mapping)).toEqual([...types]);
    expect(oneOf).toHaveLength(types.length);
  });

  it('allow the workflow of the demo', () => {
    expect(isDocumented(clinicIntake), JSON.stringify(isDocumented.errors)).toBe(true);
  });

  const named = { name: 'One' };
  it.each<[string, RevisionTask, boolean]>([
    [
      'collects fields',
      { ...named, taskType: 'collect', configuration: { dataTypeSlug: 'intake', fieldSlugs: ['a'] } },
      true,
    ],
    [
      'collects nothing',
      { ...named, taskType: 'collect', configuration: { dataTypeSlug: 'intake', fieldSlugs: [] } },
      false,
    ],
    ['collects without a configuration', { ...named, taskType: 'collect' }, false],
    ['waits', { ...named, taskType: 'wait', configuration: { for: 'PT1H', unlessReply: true } }, true],
    ['waits for a text', { ...named, taskType: 'wait', configuration: { text: 'Hello' } }, false],
    ['sends a text', { ...named, taskType: 'message', configuration: { text: 'Hello' } }, true],
    ['says nothing', { ...named, taskType: 'message', configuration: {} }, false],
    ['talks', { ...named, taskType: 'conversation' }, true],
    [
      'talks with a configuration',
      { ...named, taskType: 'conversation', configuration: { text: 'Hello' } },
      false,
    ],
    [
      'can read data',
      {
        ...named,
        taskType: 'conversation',
        abilities: [{ abilityType: 'read_data', config: { dataTypeSlug: 'intake' } }],
      },
      true,
    ],
    [
      'can read a color',
      {
        ...named,
        taskType: 'conversation',
        abilities: [{ abilityType: 'read_data', config: { color: 'red' } }],
      },
      false,
    ],
    ['is unknown', { ...named, taskType: 'dance' }, false],
  ])('say what the rules of revisions say of a task that %s', (_, task, isAccepted) => {
    expect(isDocumented(task)).toBe(isAccepted);
    expect(checkRevision([task]).length === 0).toBe(isAccepted);
  });
});
