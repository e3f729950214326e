import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { FieldDefinition } from '../../records/field-values.js';

/** The columns of a member's own, and the attributes they hold (specification, member CSV columns). */
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

/** Slugs of the member's labels. */
export const labelsColumn = 'labels';

/** One of these has to be in a row: they say whom it is about. */
export const identifyingColumns = ['email', 'phone', 'external_id'] as const;

/** All columns of a member's own, in their order in an export. */
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

/** A column of values that a data type of one record a member has. */
export interface FormColumn {
  name: string;
  type: DataTypeRow;
  field: FieldDefinition;
}

/** The `form.<data type>.<field>` columns of those of these types that hold one record a member. */
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
