import { isDeepStrictEqual } from 'node:util';
import { eachDataRecordBatch } from '../../../db/records/data-records.js';
import {
  type DataTypeRow,
  type DataTypeValues,
  lockDataType,
  patchDataType,
} from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { rebuildSearchableValues } from '../data-records/writing/searchable-values.js';
import {
  checkFieldDefinitions,
  checkValues,
  type FieldDefinition,
  type FieldValues,
  isFileField,
  PatternBudget,
} from '../field-values.js';

/**
 * Renames a data type or replaces its fields, unless existing records do not fit them. The slug and `isCollection`
 * cannot be changed, because permissions, templates and an index depend on them.
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
    const updated = await patchDataType(tx, id, input, clock.now());
    if (updated === undefined) throw new NotFound('Data type');
    return updated;
  });
}

async function refuseBreaking(tx: Tx, type: DataTypeRow, fields: FieldDefinition[]): Promise<void> {
  let broken = 0;
  for await (const batch of eachDataRecordBatch(tx, type.id)) {
    const patterns = new PatternBudget();
    broken += batch.filter(({ fieldValues: values }) => {
      const faults = [
        ...faultsIn(fields, values, patterns),
        ...filesGainedOrLost(type.fields, fields, values),
      ];
      // A fault from before may stay, such as a value that was not collected yet.
      const known = faults.length === 0 ? [] : faultsIn(type.fields, values, patterns);
      return faults.some((pointer) => !known.includes(pointer));
    }).length;
    if (patterns.isExceeded) throw wouldBreak('A pattern takes too long on the records that there are.');
  }
  if (broken > 0) throw wouldBreak(`${broken} records would not fit these fields.`);
}

function wouldBreak(message: string): InvalidInput {
  return InvalidInput.field('/fields', message, 'records_would_break');
}

/** Finds the fields whose value is invalid, or is stored in a form that the field would not store, find or sort. */
function faultsIn(fields: FieldDefinition[], stored: FieldValues, patterns: PatternBudget): string[] {
  // Stored phone numbers are in E.164 already, so the region has no effect.
  const { values, errors } = checkValues(fields, stored, { partial: false, defaultRegion: 'US', patterns });
  const otherwise = Object.keys(values).filter((slug) => !isDeepStrictEqual(values[slug], stored[slug]));
  return [...errors.map(({ pointer }) => pointer), ...otherwise.map((slug) => `/fieldValues/${slug}`)];
}

/**
 * Finds the fields whose value would become a reference to a file, or stop being one. A number that becomes one would
 * name a file without a check of who may read it.
 */
function filesGainedOrLost(
  before: FieldDefinition[],
  after: FieldDefinition[],
  stored: FieldValues,
): string[] {
  return before.flatMap((field) => {
    const now = after.find(({ slug }) => slug === field.slug);
    if (now === undefined || isFileField(now) === isFileField(field)) return [];
    return stored[field.slug] === undefined ? [] : [`/fieldValues/${field.slug}`];
  });
}
