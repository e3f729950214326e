import type { DataTypeRow } from '../../../../db/records/data-types.js';
import {
  type BlankCells,
  booleanOfCell,
  dateOfCell,
  fieldOfCell,
  isBlank,
} from '../../../records/csv/cells.js';
import { parseList } from '../../../records/csv/lists.js';
import { shortRow } from '../../../records/csv/open-csv.js';
import type { CsvRow } from '../../../records/csv/parse-csv.js';
import type { FieldValues } from '../../../records/field-values.js';
import { identifierFields } from '../identifiers.js';
import { type MemberAttributes, type MemberChanges, normalizeAttributes } from '../member-attributes.js';
import {
  columnAt,
  type FormColumn,
  formColumnsByName,
  identifyingColumns,
  type MemberColumn,
  memberColumns,
} from './csv-columns.js';

interface MemberRowRead {
  attributes: MemberAttributes;
  /** Slugs of all labels that the member has after the import. */
  labels?: readonly string[];
  /** Field values by the id of their data type. */
  forms: Map<number, FieldValues>;
  /** Errors of cells that could not be parsed, each beginning with the column. */
  errors: string[];
}

type Take = (row: MemberRowRead, cell: string) => void;

/** Returns a parser of rows with these columns, by the current data types that the file writes. */
export function memberRowParser(
  columns: readonly string[],
  types: readonly DataTypeRow[],
  blankCells: BlankCells,
): (row: CsvRow) => MemberRowRead {
  const forms = formColumnsByName(types);
  const takes = columns.map((name) => takerOf(name, forms.get(name), blankCells));
  return ({ cells }) => {
    const row: MemberRowRead = { attributes: {}, forms: new Map(), errors: [] };
    const short = shortRow(cells, columns);
    if (short !== undefined) return { ...row, errors: [short] };
    for (const [index, take] of takes.entries()) take(row, cells[index] ?? '');
    return row;
  };
}

function takerOf(name: string, form: FormColumn | undefined, blankCells: BlankCells): Take {
  const clears = blankCells === 'clear';
  if (form !== undefined) return takeValue(form, clears);
  const attribute = memberColumns.get(name);
  if (attribute === 'labels') return takeLabels(name, clears);
  if (attribute !== undefined) {
    return name.startsWith('notify_') ? takeSwitch(name, attribute) : takeText(attribute, clears);
  }
  // The data type has changed since the file was checked.
  return (row) => row.errors.push(`${name}: is no column of members any more`);
}

function takeText(attribute: MemberColumn, clears: boolean): Take {
  const key = attribute as 'name';
  const text = attribute === 'dateOfBirth' ? dateOfCell : (cell: string) => cell;
  return ({ attributes }, cell) => {
    if (!isBlank(cell)) attributes[key] = text(cell);
    else if (clears) attributes[key] = null;
  };
}

function takeSwitch(name: string, attribute: MemberColumn): Take {
  const key = attribute as 'notifyEmail';
  return ({ attributes, errors }, cell) => {
    if (isBlank(cell)) return;
    const value = booleanOfCell(cell);
    if (value === null) errors.push(`${name}: must be true or false, or 1 or 0`);
    else attributes[key] = value;
  };
}

function takeLabels(name: string, clears: boolean): Take {
  return (row, cell) => {
    if (isBlank(cell)) {
      if (clears) row.labels = [];
      return;
    }
    const slugs = parseList(cell);
    if (slugs === null) row.errors.push(`${name}: has a quote that is not closed`);
    else row.labels = slugs.filter((slug) => slug !== '');
  };
}

function takeValue({ name, type, field }: FormColumn, clears: boolean): Take {
  return ({ forms, errors }, cell) => {
    if (isBlank(cell) && !clears) return;
    const read = isBlank(cell) ? { ok: true as const, value: null } : fieldOfCell(field, cell);
    if (!read.ok) {
      errors.push(`${name}: ${read.message}`);
      return;
    }
    const values = forms.get(type.id) ?? {};
    values[field.slug] = read.value;
    forms.set(type.id, values);
  };
}

/** A row in the form in which it is written. */
export interface PreparedRow {
  index: number;
  changes: MemberChanges;
  labelIds: readonly number[] | undefined;
  /** Field values by the id of their data type. */
  forms: ReadonlyMap<number, FieldValues>;
  /** Error messages, each beginning with the column. */
  errors: readonly string[];
}

export function columnError({ pointer, message }: { pointer: string; message: string }): string {
  return `${columnAt(pointer)}: ${message}`;
}

/** Converts a parsed row to stored form, and collects all of its errors. */
export function normalizeRow(
  read: MemberRowRead,
  index: number,
  options: { defaultRegion: string; now: Date; labelIds: ReadonlyMap<string, number> },
): PreparedRow {
  const { changes, errors } = normalizeAttributes(read.attributes, options);
  const wrong = [...read.errors, ...errors.map(columnError)];
  if (identifierFields.every((field) => read.attributes[field] == null)) {
    wrong.push(`One of ${identifyingColumns.join(', ')} is required`);
  }
  const { labels, forms } = read;
  const unknown = (labels ?? []).filter((slug) => !options.labelIds.has(slug));
  if (unknown.length > 0) wrong.push(`labels: ${named(unknown)}`);
  const labelIds = labels?.flatMap((slug) => options.labelIds.get(slug) ?? []);
  return { index, changes, forms, errors: wrong, labelIds };
}

/** Quotes only texts that can be slugs, because a cell may contain anything. */
function named(unknown: readonly string[]): string {
  const slugs = unknown.filter((slug) => /^[\w-]{1,63}$/.test(slug)).slice(0, 10);
  return slugs.length === 0 ? 'holds what is no label' : `there is no label ${slugs.join(', ')}`;
}
