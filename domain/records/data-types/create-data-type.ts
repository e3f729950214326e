import { lockSubject } from '../../../db/lock-subject.js';
import {
  countDataTypes,
  type DataTypeRow,
  type DataTypeValues,
  insertDataType,
} from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';
import { checkFieldDefinitions } from '../field-values.js';

export type NewDataType = DataTypeValues;

const maxTypes = 200;

/** Creates a data type. @throws Forbidden, InvalidInput, Conflict `too_many_data_types` */
export async function createDataType(
  { db, clock, actor }: CommandContext,
  input: NewDataType,
): Promise<DataTypeRow> {
  actor.require('datatypes:write');
  const errors = checkFieldDefinitions(input.fields);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return reportingTakenSlug(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      await requireRoom(tx);
      return insertDataType(tx, input, clock.now());
    }),
  );
}

/** Limits the number of types, because imports and evaluation contexts read all types of a workspace at once. */
async function requireRoom(tx: Tx): Promise<void> {
  await lockSubject(tx, 'number of data types');
  if ((await countDataTypes(tx)) < maxTypes) return;
  throw new Conflict('too_many_data_types', `A workspace has at most ${maxTypes} data types.`);
}

const reportingTakenSlug = mappingUniqueViolation({
  constraint: 'data_types_workspace_id_slug_key',
  pointer: '/slug',
  message: 'Another data type of the workspace has this slug.',
});
