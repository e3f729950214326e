import { isId, member } from './numbers.js';
import {
  byFile,
  byFiles,
  type FieldDefinition,
  type FieldTypeRules,
  type FieldValues,
  invalid,
  valid,
} from './types.js';

/** The files of one field, of all fields of one record, and of all records of one batch. */
export const recordFileLimits = { ofField: 20, ofRecord: 50, ofBatch: 10_000 } as const;

/** The id of a file. The command that stores it checks that the caller may read the file. */
export const file: FieldTypeRules = {
  ...member,
  index: byFile,
  hint: 'The fileId of a file that came with a message.',
};

/** The ids of several files, each once. */
export const files: FieldTypeRules = {
  bounded: 'count',
  index: byFiles,
  hint: 'The fileId of each file that came with a message.',
  normalize(value, { required = false }) {
    const { ofField } = recordFileLimits;
    if (!Array.isArray(value) || !value.every(isId)) return invalid('must be a list of ids');
    const ids = [...new Set(value)];
    if (ids.length > ofField) return invalid(`must not have more than ${ofField} files`);
    return required && ids.length === 0 ? invalid('is required') : valid(ids);
  },
  schema: (field) => ({
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    uniqueItems: true,
    minItems: typeof field.min === 'number' ? field.min : field.required ? 1 : 0,
    maxItems: typeof field.max === 'number' ? field.max : recordFileLimits.ofField,
  }),
};

export function isFileField({ fieldType }: Pick<FieldDefinition, 'fieldType'>): boolean {
  return fieldType === 'file' || fieldType === 'files';
}

/** The ids in the value of a field that refers to one or several things. */
export function idsOf(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter(isId);
}

/** The ids of all files that values refer to, each once. */
export function fileIdsIn(fields: readonly FieldDefinition[], values: FieldValues): number[] {
  return [...new Set(fields.filter(isFileField).flatMap(({ slug }) => idsOf(values[slug])))];
}
