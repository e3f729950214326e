import type { FieldValues } from '../../../records/field-values.js';
import { identifierFields } from '../identifiers.js';
import { type MemberChanges, normalizeAttributes } from '../member-attributes.js';
import { attributeColumns, identifyingColumns, labelsColumn } from './csv-columns.js';
import type { MemberRowRead } from './import-rows.js';

/** A row in the form in which it is written. */
export interface PreparedRow {
  /** Index in the batch. */
  index: number;
  changes: MemberChanges;
  labelIds?: readonly number[];
  /** Field values by the id of their data type. */
  forms: ReadonlyMap<number, FieldValues>;
  /** Error messages, each beginning with the column. */
  errors: readonly string[];
}

const columnOf = new Map(
  Object.entries(attributeColumns).map(([column, attribute]) => [`/${attribute}`, column]),
);

/** Names the attribute of an error by its column. */
export function columnError({ pointer, message }: { pointer: string; message: string }): string {
  return `${columnOf.get(pointer) ?? pointer.slice(1)}: ${message}`;
}

/** Converts a parsed row to stored form, and collects all of its errors. */
export function prepareRow(
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
  if (labels === undefined) return { index, changes, forms, errors: wrong };
  const unknown = labels.filter((slug) => !options.labelIds.has(slug));
  if (unknown.length > 0) wrong.push(`${labelsColumn}: ${named(unknown)}`);
  return {
    index,
    changes,
    forms,
    errors: wrong,
    labelIds: labels.flatMap((slug) => options.labelIds.get(slug) ?? []),
  };
}

/** Quotes only texts that can be slugs, because a cell may contain anything. */
function named(unknown: readonly string[]): string {
  const slugs = unknown.filter((slug) => /^[\w-]{1,63}$/.test(slug)).slice(0, 10);
  return slugs.length === 0 ? 'holds what is no label' : `there is no label ${slugs.join(', ')}`;
}
