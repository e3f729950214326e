import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../db/database.js';
import { eachDataRecordBatch } from '../../../db/records/data-records.js';
import {
  type DataTypeRow,
  lockDataType,
  updateDataType as writeType,
} from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { rebuildSearchableValues } from '../data-records/rebuild-searchable-values.js';
import {
  checkFieldDefinitions,
  checkValues,
  type FieldDefinition,
  type FieldValues,
  PatternBudget,
} from '../field-values.js';

export interface DataTypeChanges {
  name?: string;
  fields?: FieldDefinition[];
}

/**
 * Renames a data type or replaces its fields. New fields have to fit the records that exist: those that would become
 * invalid (a field with values taken away, another type, values that the new type stores in another form, a new required
 * field, a value that is to be unique and is not) are counted and the change refused. What records are found by changes with the fields.
 * Slug and isCollection stay: permissions, templates and an index rest on them.
 *
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function updateDataType(
  { db, clock, actor }: CommandContext,
  id: number,
  input: DataTypeChanges,
): Promise<DataTypeRow> {
  actor.require('datatypes:write');
  const errors = input.fields === undefined ? [] : checkFieldDefinitions(input.fields);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await lockDataType(tx, id);
    if (type === undefined) throw new NotFound('Data type');
    if (input.fields !== undefined) {
      await refuseBreaking(tx, type, input.fields);
      refuseTaken(await rebuildSearchableValues(tx, type, input.fields));
    }
    const updated = await writeType(tx, id, input, clock.now());
    if (updated === undefined) throw new NotFound('Data type');
    return updated;
  });
}

async function refuseBreaking(tx: Tx, type: DataTypeRow, fields: FieldDefinition[]): Promise<void> {
  let broken = 0;
  for await (const batch of eachDataRecordBatch(tx, type.id)) {
    const patterns = new PatternBudget();
    const before = faultsIn(type.fields, patterns);
    const after = faultsIn(fields, patterns);
    broken += batch.filter(({ fieldValues }) => breaks(fieldValues, before, after)).length;
    if (patterns.isExceeded) throw wouldBreak('A pattern takes too long on the records that there are.');
  }
  if (broken > 0) throw wouldBreak(`${broken} records would not fit these fields.`);
}

/** @param taken how many records have a value that is another's, where no two may have the same */
function refuseTaken(taken: number): void {
  if (taken > 0) throw wouldBreak(`${taken} records have the same value as another, which is to be unique.`);
}

function wouldBreak(message: string): InvalidInput {
  return InvalidInput.field('/fields', message, 'records_would_break');
}

/** Whether values that were acceptable are so no more. What was wrong before (a half-collected record) may stay. */
function breaks(values: FieldValues, before: FaultsOf, after: FaultsOf): boolean {
  const faults = after(values);
  if (faults.length === 0) return false;
  const known = new Set(before(values));
  return faults.some((slug) => !known.has(slug));
}

type FaultsOf = (stored: FieldValues) => string[];

/** Finds the fields whose value is refused, or is not in the form in which it is stored, found and sorted. */
function faultsIn(fields: FieldDefinition[], patterns: PatternBudget): FaultsOf {
  // Stored phone numbers are in E.164 already: no region is asked for.
  const options = { partial: false, defaultRegion: 'US', patterns };
  return (stored) => {
    const { values, errors } = checkValues(fields, stored, options);
    const otherwise = Object.keys(values).filter((slug) => !isDeepStrictEqual(values[slug], stored[slug]));
    return [...errors.map(({ pointer }) => pointer), ...otherwise.map((slug) => `/fieldValues/${slug}`)];
  };
}
