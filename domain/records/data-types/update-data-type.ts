import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../db/database.js';
import { eachDataRecordBatch } from '../../../db/records/data-records.js';
import {
  type DataTypeRow,
  type DataTypeValues,
  lockDataType,
  updateDataType as writeType,
} from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { rebuildSearchableValues } from '../data-records/writing/searchable-values.js';
import {
  checkFieldDefinitions,
  checkValues,
  type FieldDefinition,
  type FieldValues,
  PatternBudget,
} from '../field-values.js';

/**
 * Renames a data type or replaces its fields, and rebuilds the searchable values of its records. Fields that existing
 * records do not fit are refused, with the number of these records. The slug and `isCollection` cannot be changed,
 * because permissions, templates and an index depend on them.
 *
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function updateDataType(
  { db, clock, actor }: CommandContext,
  id: number,
  input: Partial<Pick<DataTypeValues, 'name' | 'fields'>>,
): Promise<DataTypeRow> {
  actor.require('datatypes:write');
  const errors = input.fields === undefined ? [] : checkFieldDefinitions(input.fields);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await lockDataType(tx, id);
    if (type === undefined) throw new NotFound('Data type');
    if (input.fields !== undefined) {
      await refuseBreaking(tx, type, input.fields);
      const taken = await rebuildSearchableValues(tx, type, input.fields);
      if (taken > 0)
        throw wouldBreak(`${taken} records have the same value as another, which is to be unique.`);
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

function wouldBreak(message: string): InvalidInput {
  return InvalidInput.field('/fields', message, 'records_would_break');
}

/** Whether valid values become invalid. A fault from before may stay, such as a value that was not collected yet. */
function breaks(values: FieldValues, before: FaultsOf, after: FaultsOf): boolean {
  const faults = after(values);
  if (faults.length === 0) return false;
  const known = new Set(before(values));
  return faults.some((slug) => !known.has(slug));
}

type FaultsOf = (stored: FieldValues) => string[];

/** Finds the fields whose value is invalid, or is stored in a form that the field would not store, find or sort. */
function faultsIn(fields: FieldDefinition[], patterns: PatternBudget): FaultsOf {
  // Stored phone numbers are in E.164 already, so the region has no effect.
  const options = { partial: false, defaultRegion: 'US', patterns };
  return (stored) => {
    const { values, errors } = checkValues(fields, stored, options);
    const otherwise = Object.keys(values).filter((slug) => !isDeepStrictEqual(values[slug], stored[slug]));
    return [...errors.map(({ pointer }) => pointer), ...otherwise.map((slug) => `/fieldValues/${slug}`)];
  };
}
