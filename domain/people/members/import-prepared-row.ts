import type { FieldValues } from '../../records/field-values.js';
import { attributeColumns, identifyingColumns, labelsColumn } from './csv-columns.js';
import { identifierFields } from './identifiers.js';
import type { MemberRowRead } from './import-rows.js';
import { type MemberChanges, normalizeAttributes } from './member-attributes.js';

/** A row as it can be written. */
export interface PreparedRow {
  /** Its place among the rows that are written together. */
  index: number;
  changes: MemberChanges;
  labelIds?: readonly number[];
  /** Values by the id of their data type. */
  forms: ReadonlyMap<number, FieldValues>;
  /** What is wrong with it, each beginning with the column. */
  errors: readonly string[];
}

const columnOf = new Map(
  Object.entries(attributeColumns).map(([column, attribute]) => [`/${attribute}`, column]),
);

/** Tells of an attribute by the name of its column. */
export function columnError({ pointer, message }: { pointer: string; message: string }): string {
  return `${columnOf.get(pointer) ?? pointer.slice(1)}: ${message}`;
}

/** What is read of a row as members are stored, and everything that is wrong with it. */
export function prepareRow(
  read: MemberRowRead,
  index: number,
  options: { defaultRegion: string; now: Date; labelIds: ReadonlyMap<string, number> },
): PreparedRow {
  const { changes, errors } = normalizeAttributes(read.attributes, options);
  const wrong = [...read.errors, ...errors.map(columnError)];
  if (identifierFields.every((field) => read.attributes[field] == null)) {
    wrong.push(`One of ${identifyingColumns.join(', ')} has to be there`);
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

/** What cannot be a slug is not told: it may be anything. */
function named(unknown: readonly string[]): string {
  const slugs = unknown.filter((slug) => /^[\w-]{1,63}$/.test(slug)).slice(0, 10);
  return slugs.length === 0 ? 'holds what is no label' : `there is no label ${slugs.join(', ')}`;
}
