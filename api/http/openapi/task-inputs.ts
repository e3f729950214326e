import { configurationSchemas } from '../../../domain/definitions/revision-rules/configurations.js';
import { type AbilityType, abilities } from '../../../domain/kernel/abilities.js';

type Schema = Record<string, unknown>;

/**
 * Replaces the schemas of tasks and abilities in requests by one alternative for each type, with the configuration that
 * the rules of revisions check. Validation of requests is by the general schemas: the rules name the task in question.
 */
export function describeTasks(schemas: Record<string, object>): void {
  alternatives(schemas, {
    of: 'WorkflowTaskInput',
    by: 'taskType',
    field: 'configuration',
    kinds: configurationSchemas as unknown as Record<string, Schema>,
    nameOf: (kind) => ({ input: `${kind}TaskInput`, configuration: `${kind}Configuration` }),
  });
  alternatives(schemas, {
    of: 'AbilityInput',
    by: 'abilityType',
    field: 'config',
    kinds: Object.fromEntries(
      (Object.keys(abilities) as AbilityType[]).map((type) => [type, configOfAbility(type)]),
    ),
    nameOf: (kind) => ({ input: `${kind}AbilityInput`, configuration: `${kind}Config` }),
  });
}

function configOfAbility(type: AbilityType): Schema {
  const { summary, config } = abilities[type];
  return { ...(config as object), description: summary };
}

interface Alternatives {
  of: string;
  by: string;
  field: string;
  kinds: Record<string, Schema>;
  nameOf(kind: string): { input: string; configuration: string };
}

function alternatives(schemas: Record<string, object>, { of, by, field, kinds, nameOf }: Alternatives): void {
  const general = schemas[of] as
    | (Schema & { properties: Record<string, Schema>; required: string[] })
    | undefined;
  // Routes that take no tasks.
  if (general === undefined) return;
  const mapping: Record<string, string> = {};
  for (const [kind, { description, ...config }] of Object.entries(kinds)) {
    const { input, configuration } = nameOf(pascalCase(kind));
    // A configuration without required fields may be absent.
    const isRequired = Array.isArray(config.required) && config.required.length > 0;
    schemas[configuration] = { ...config, description: `The configuration of \`${kind}\`.` };
    schemas[input] = {
      ...general,
      description,
      properties: {
        ...general.properties,
        [by]: { type: 'string', const: kind, description: `Always \`${kind}\`` },
        [field]: { $ref: reference(configuration) },
      },
      required: isRequired ? [...general.required, field] : general.required,
    };
    mapping[kind] = reference(input);
  }
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  schemas[of] = { oneOf, discriminator: { propertyName: by, mapping } };
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** `save_data` → `SaveData` */
function pascalCase(kind: string): string {
  return kind.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
