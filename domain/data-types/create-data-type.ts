import { type DataTypeRow, insertDataType } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { InvalidInput } from '../errors.js';
import { checkFieldDefinitions, type FieldDefinition } from '../field-values.js';
import { reportingTaken } from '../reporting-taken.js';

export interface NewDataType {
  name: string;
  slug: string;
  /** True: many records a member. False: one. */
  isCollection: boolean;
  fields: FieldDefinition[];
}

/** Makes a data type. @throws Forbidden, InvalidInput */
export async function createDataType(
  { db, clock, actor }: CommandContext,
  input: NewDataType,
): Promise<DataTypeRow> {
  actor.require('datatypes:write');
  const errors = checkFieldDefinitions(input.fields);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return reportingTakenSlug(() =>
    db.inWorkspace(actor.workspaceId, (tx) => insertDataType(tx, input, clock.now())),
  );
}

const reportingTakenSlug = reportingTaken({
  constraint: 'data_types_workspace_id_slug_key',
  pointer: '/slug',
  message: 'Another data type of the workspace has this slug.',
});
