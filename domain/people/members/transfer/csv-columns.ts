import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { InvalidInput } from '../../../lib/errors.js';
import type { ExpectedColumns } from '../../../records/csv/open-csv.js';
import type { FieldDefinition } from '../../../records/field-values.js';
import type { MemberChanges } from '../member-attributes.js';

/** The columns of members themselves, in the order of an export. */
const columnOf = {
  email: 'email',
  phone: 'phone',
  name: 'name',
  dateOfBirth: 'date_of_birth',
  externalId: 'external_id',
  description: 'description',
  labels: 'labels',
  notifyEmail: 'notify_email',
  notifySms: 'notify_sms',
  notifyVoice: 'notify_voice',
} as const satisfies Record<Exclude<keyof MemberChanges, 'locale'> | 'labels', string>;

export type MemberColumn = keyof typeof columnOf;

/** The attribute of each column. */
export const memberColumns = new Map(
  Object.entries(columnOf).map(([attribute, column]) => [column as string, attribute as MemberColumn]),
);

/** The column, or the field, that the pointer of an error names. */
export function columnAt(pointer: string): string {
  const field = pointer.slice(1);
  return Object.hasOwn(columnOf, field) ? columnOf[field as MemberColumn] : field;
}

/** A row needs at least one of these, which identify the member. */
export const identifyingColumns = ['email', 'phone', 'external_id'] as const;

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

/** The column names that a file of members may have, given the workspace's data types. */
export function expectedMemberColumns(types: readonly DataTypeRow[]): ExpectedColumns {
  const forms = new Set(formColumns(types).map(({ name }) => name));
  return {
    unread: (name) => {
      if (memberColumns.has(name) || forms.has(name)) return null;
      return name.startsWith('form.') ? whyNoForm(name, types) : 'is no column of members';
    },
  };
}

function whyNoForm(name: string, types: readonly DataTypeRow[]): string {
  const [, slug = '', ...field] = name.split('.');
  const type = types.find((candidate) => candidate.slug === slug);
  if (field.length !== 1) return 'has to be form.<data type>.<field>';
  if (type === undefined) return 'names no data type of the workspace';
  return type.isCollection
    ? 'names a data type that holds many records of a member, which are imported as records'
    : 'names no field of its data type';
}

/** @throws InvalidInput if no column identifies the rows' members */
export function requireIdentifyingColumn(columns: readonly string[]): void {
  if (identifyingColumns.some((name) => columns.includes(name))) return;
  throw InvalidInput.field(
    '/file',
    `At least one of the columns ${identifyingColumns.join(', ')} is required.`,
    'csv_columns_refused',
  );
}

/** The data types that a file with these columns writes. */
export function typesIn(columns: readonly string[], types: readonly DataTypeRow[]): DataTypeRow[] {
  const named = new Set(
    formColumns(types)
      .filter(({ name }) => columns.includes(name))
      .map(({ type }) => type),
  );
  return [...named];
}

export function formColumnsByName(types: readonly DataTypeRow[]): ReadonlyMap<string, FormColumn> {
  return new Map(formColumns(types).map((column) => [column.name, column]));
}
