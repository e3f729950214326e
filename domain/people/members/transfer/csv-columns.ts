import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { FieldDefinition } from '../../../records/field-values.js';

/** Columns of a member's own attributes (specification, member CSV columns). */
export const attributeColumns = {
  email: 'email',
  phone: 'phone',
  name: 'name',
  date_of_birth: 'dateOfBirth',
  external_id: 'externalId',
  description: 'description',
  notify_email: 'notifyEmail',
  notify_sms: 'notifySms',
  notify_voice: 'notifyVoice',
} as const;

export type AttributeColumn = keyof typeof attributeColumns;

export const labelsColumn = 'labels';

/** A row needs at least one of these, which identify the member. */
export const identifyingColumns = ['email', 'phone', 'external_id'] as const;

/** All columns of the member itself, in the order of an export. */
export const memberColumns = [
  'email',
  'phone',
  'name',
  'date_of_birth',
  'external_id',
  'description',
  labelsColumn,
  'notify_email',
  'notify_sms',
  'notify_voice',
] as const satisfies readonly (AttributeColumn | typeof labelsColumn)[];

/** A column for a field of a data type that holds one record for each member. */
export interface FormColumn {
  name: string;
  type: DataTypeRow;
  field: FieldDefinition;
}

/** The `form.<data type>.<field>` columns of those types that hold one record for each member. */
export function formColumns(types: readonly DataTypeRow[]): FormColumn[] {
  return types
    .filter(({ isCollection }) => !isCollection)
    .flatMap((type) => type.fields.map((field) => ({ name: formColumnName(type, field), type, field })));
}

export function formColumnName(
  type: Pick<DataTypeRow, 'slug'>,
  field: Pick<FieldDefinition, 'slug'>,
): string {
  return `form.${type.slug}.${field.slug}`;
}
