import type { TSchema } from 'typebox';
import { configurationSchemas } from '../../domain/definitions/revision-rules/configurations.js';
import { warningCodes } from '../../domain/definitions/revision-rules/findings.js';
import { taskTypes } from '../../domain/definitions/task-tree/task-types.js';
import { abilities, abilityTypes } from '../../domain/kernel/abilities.js';
import { type CelField, celVariables } from '../../domain/lib/cel.js';
import { code, markdownTable } from './markdown-table.js';

/** The tables of docs/workflows.md that are generated from the code, by name. */
export const tables = {
  'task types': taskTypeTable,
  abilities: abilityTable,
  variables: variableTable,
  warnings: warningTable,
} as const satisfies Record<string, () => string>;

function taskTypeTable(): string {
  const rows = taskTypes.flatMap((type) => [
    [code(type), '', (configurationSchemas[type] as Property).description ?? ''],
    ...fieldRows(configurationSchemas[type]),
  ]);
  return markdownTable(['`taskType`', '`configuration`', ''], rows);
}

function abilityTable(): string {
  const rows = abilityTypes.flatMap((type) => [
    [code(type), '', abilities[type].summary],
    // `requiresApproval` has a section of its own.
    ...fieldRows(abilities[type].config).filter(([, name]) => name !== code('requiresApproval')),
  ]);
  return markdownTable(['`abilityType`', '`config`', ''], rows);
}

/** A row for each field of an object's schema. */
function fieldRows(schema: TSchema): string[][] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => [
    '',
    code(name),
    sentences([
      ...(required.includes(name) ? ['Required'] : []),
      ...(property.description === undefined ? [] : [property.description]),
      ...(property.enum === undefined ? [] : [`One of ${property.enum.map(code).join(', ')}`]),
    ]),
  ]);
}

function warningTable(): string {
  const rows = Object.entries(warningCodes).map(([name, meaning]) => [code(name), meaning]);
  return markdownTable(['Code', ''], rows);
}

interface Property {
  description?: string;
  enum?: readonly string[];
}

function variableTable(): string {
  const rows = Object.entries(celVariables).flatMap(([name, variable]) =>
    'fields' in variable
      ? Object.entries<CelField>(variable.fields).map(([field, it]) => variableRow(`${name}.${field}`, it))
      : [variableRow(name, variable)],
  );
  return markdownTable(['Variable', 'Type', ''], rows);
}

function variableRow(name: string, { type, nullable, values, description }: CelField): string[] {
  const known = values === undefined ? [] : [`One of ${values.map(code).join(', ')}`];
  return [code(name), `${typeNames[type]}${nullable ? ' or null' : ''}`, sentences([description, ...known])];
}

/** What authors know the types of fields as. */
const typeNames: Record<CelField['type'], string> = {
  number: 'number',
  text: 'text',
  boolean: 'true or false',
  moment: 'timestamp',
  texts: 'list of texts',
  records: 'map',
  collections: 'map of lists',
  open: 'map',
};

function sentences(parts: readonly string[]): string {
  return parts.map((part) => (part.endsWith('.') ? part : `${part}.`)).join(' ');
}
