import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { InvalidInput } from '../../../lib/errors.js';
import type { ExpectedColumns } from '../../../records/csv/open-csv.js';
import {
  attributeColumns,
  type FormColumn,
  formColumns,
  identifyingColumns,
  labelsColumn,
} from './csv-columns.js';

/** The column names that a file of members may have, given the workspace's data types. */
export function expectedMemberColumns(types: readonly DataTypeRow[]): ExpectedColumns {
  const forms = new Set(formColumns(types).map(({ name }) => name));
  const own = new Set([...Object.keys(attributeColumns), labelsColumn]);
  return {
    unread: (name) => {
      if (own.has(name) || forms.has(name)) return null;
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
