import type { Person } from '../../../../db/people/people.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { FieldError } from '../../../lib/errors.js';
import { plainText } from '../../../lib/plain-text.js';
import { type BlankCells, fieldOfCell, isBlank } from '../../csv/cells.js';
import { type ExpectedColumns, shortRow } from '../../csv/open-csv.js';
import type { FieldDefinition, FieldValues } from '../../field-values.js';

/** Columns of a record's own attributes. Field slugs begin with a letter or a digit, so no field has such a name. */
export const recordColumns = { id: '__id', externalId: '__externalId', memberId: '__memberId' } as const;

/** Columns that name the record's member, with the attribute by which the member is found. */
const memberColumns: Readonly<Record<string, keyof Person>> = {
  [recordColumns.memberId]: 'id',
  __memberEmail: 'email',
  __memberPhone: 'phone',
  __memberExternalId: 'externalId',
};

/** A parsed row, before it is known whether the record and the member exist. */
export interface RecordRow {
  id?: number;
  externalId?: string;
  /** The record's member, possibly named by several columns. */
  names: PersonName[];
  fieldValues: FieldValues;
  /** Errors of cells that could not be parsed. */
  errors: FieldError[];
}

export interface PersonName {
  column: string;
  key: keyof Person;
  text: string;
}

type Take = (row: RecordRow, cell: string) => void;

const maxExternalIdLength = 200;

export function expectedColumns({ fields }: Pick<DataTypeRow, 'fields'>): ExpectedColumns {
  const known = new Set([
    ...Object.values(recordColumns),
    ...Object.keys(memberColumns),
    ...fields.map(({ slug }) => slug),
  ]);
  return { unread: (name) => (known.has(name) ? null : whyUnread(name)) };
}

/** Columns with two underscores are not fields, which a client that knows the names of the API may overlook. */
function whyUnread(name: string): string {
  const meant = Object.values(recordColumns).find((column) => sameWord(column, name));
  return `is no field of the data type${meant === undefined ? '' : `; the column is called ${meant}`}`;
}

function sameWord(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => text.replace(/[\s_-]/g, '').toLowerCase());
  return first === second;
}

export function rowReader(
  { fields }: Pick<DataTypeRow, 'fields'>,
  columns: readonly string[],
  blankCells: BlankCells,
): (cells: readonly string[]) => RecordRow {
  const bySlug = new Map(fields.map((field) => [field.slug, field]));
  const takes = columns.map((column) => takerOf(column, bySlug.get(column), blankCells));
  return (cells) => {
    const row: RecordRow = { names: [], fieldValues: {}, errors: [] };
    const short = shortRow(cells, columns);
    if (short !== undefined) return { ...row, errors: [{ pointer: '', message: short }] };
    for (const [index, take] of takes.entries()) take(row, cells[index] ?? '');
    return row;
  };
}

function takerOf(column: string, field: FieldDefinition | undefined, blankCells: BlankCells): Take {
  if (field !== undefined) return takeValue(field, blankCells);
  if (column === recordColumns.id) return unlessBlank(takeId);
  if (column === recordColumns.externalId) return unlessBlank(takeExternalId);
  const key = memberColumns[column];
  if (key !== undefined) return unlessBlank((row, text) => row.names.push({ column, key, text }));
  // The data type has changed since the file was checked.
  return (row) => row.errors.push(cellError(column, 'is no field of the data type any more'));
}

function unlessBlank(take: Take): Take {
  return (row, cell) => {
    if (!isBlank(cell)) take(row, cell);
  };
}

function takeId(row: RecordRow, cell: string): void {
  const id = idOfCell(cell);
  if (id === null) row.errors.push(cellError(recordColumns.id, 'must be an id'));
  else row.id = id;
}

function takeExternalId(row: RecordRow, cell: string): void {
  // Count code points, as the validation of requests does.
  if ([...cell].length <= maxExternalIdLength) row.externalId = plainText(cell);
  else
    row.errors.push(
      cellError(recordColumns.externalId, `must have at most ${maxExternalIdLength} characters`),
    );
}

function takeValue(field: FieldDefinition, blankCells: BlankCells): Take {
  return (row, cell) => {
    if (isBlank(cell)) {
      if (blankCells === 'clear') row.fieldValues[field.slug] = null;
      return;
    }
    const read = fieldOfCell(field, cell);
    if (read.ok) row.fieldValues[field.slug] = read.value;
    else row.errors.push({ pointer: `/fieldValues/${field.slug}`, message: `${field.name} ${read.message}` });
  };
}

/** Parses an id; returns null if the cell holds no valid id. */
export function idOfCell(cell: string): number | null {
  const id = /^\d+$/.test(cell.trim()) ? Number(cell) : 0;
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}

export function cellError(column: string, message: string): FieldError {
  return { pointer: `/${column}`, message: `${column} ${message}` };
}
