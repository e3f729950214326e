import type { DataTypeRow } from '../../../db/records/data-types.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { FieldDefinition } from '../../../domain/records/field-values.js';
import { randomTag } from '../../support/workspace/factories.js';
import type { Scene } from './attack.js';

/** A collection of the attacker's, of a slug that expressions can name. */
export function addOwnType({ workspace }: Scene, fields: FieldDefinition[]): Promise<DataTypeRow> {
  const slug = `t${randomTag().replaceAll('-', '')}`;
  return createDataType(workspace.context(), { name: 'Own', slug, isCollection: true, fields });
}

/** What records are made of that are put past the service. */
export interface ManyRecords {
  dataTypeId: number;
  memberId: number;
  assignmentTaskId?: number;
  fieldValues: Record<string, unknown>;
  count: number;
}

/** As many equal records as asked for, in a moment. */
export async function insertMany({ workspace }: Scene, many: ManyRecords): Promise<void> {
  const { dataTypeId, memberId, assignmentTaskId = null, fieldValues, count } = many;
  const { workspaceId } = workspace;
  await workspace.database.inWorkspace(workspaceId, async (tx) => {
    await tx.raw(
      `insert into data_records
         (workspace_id, uuid, data_type_id, member_id, is_single, assignment_task_id, field_values)
       select ?, gen_random_uuid(), ?, ?, false, ?, ?::jsonb from generate_series(1, ?)`,
      [workspaceId, dataTypeId, memberId, assignmentTaskId, JSON.stringify(fieldValues), count],
    );
  });
}
