import { createDataRecord } from '../../../../domain/records/data-records/create-data-record.js';
import { prefetchNewRecord } from '../../../../domain/records/data-records/create-in-one-statement.js';
import { deleteDataRecord } from '../../../../domain/records/data-records/delete-data-record.js';
import {
  getDataRecord,
  prefetchDataRecord,
} from '../../../../domain/records/data-records/get-data-record.js';
import { restoreDataRecord } from '../../../../domain/records/data-records/restore-data-record.js';
import { retireDataRecord } from '../../../../domain/records/data-records/retire-data-record.js';
import { updateDataRecord } from '../../../../domain/records/data-records/update-data-record.js';
import { updateDataRecordByExternalId } from '../../../../domain/records/data-records/update-data-record-by-external-id.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { exportRoutes } from './export.js';
import { importRecords } from './import.js';
import { listRoute } from './list-route.js';
import { presentDataRecord } from './presenter.js';
import {
  ByExternalIdQuery,
  CreateDataRecordRequest,
  DataRecordResponse,
  DeletedRecordResponse,
  RetireDataRecordRequest,
  UpdateDataRecordRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'data:read' });
const writers = workspaceMember({ scope: 'data:write' });

const create = defineRoute({
  operationId: 'createDataRecord',
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records',
  tag: 'Data records',
  summary: 'Create a data record',
  description:
    "With an externalId that the type knows, that record is updated: it moves to memberId if one is given, and is in use again if it was retired. Others' records need the permission records:write or data:write:<slug>.",
  access: writers,
  body: CreateDataRecordRequest,
  response: { status: 201, schema: DataRecordResponse },
  errors: { 409: 'The record is retired, or others are changing it just now.' },
  asks: (tx, { params }) => prefetchNewRecord(tx, params.data_type_id),
  handler: async ({ context, params, body, asked }) =>
    presentDataRecord(await createDataRecord(context, params.data_type_id, body, asked)),
});

const updateByExternalId = defineRoute({
  operationId: 'updateDataRecordByExternalId',
  method: 'PUT',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records',
  tag: 'Data records',
  summary: 'Change the data record that has an external id',
  description:
    "Without the permission records:write or data:write:<slug>, an externalId of another member's record is 403.",
  access: writers,
  query: ByExternalIdQuery,
  body: UpdateDataRecordRequest,
  response: { status: 200, schema: DataRecordResponse },
  errors: { 409: 'The record is retired.' },
  handler: async ({ context, params, query, body }) =>
    presentDataRecord(
      await updateDataRecordByExternalId(context, params.data_type_id, query.externalId, body),
    ),
});

const get = defineRoute({
  operationId: 'getDataRecord',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}',
  tag: 'Data records',
  summary: 'Get a data record',
  access: readers,
  response: { status: 200, schema: DataRecordResponse },
  asks: (tx, { params }) => prefetchDataRecord(tx, params.data_type_id, params.record_id),
  handler: async ({ context, params, asked }) =>
    presentDataRecord(await getDataRecord(context, params.data_type_id, params.record_id, asked)),
});

const update = defineRoute({
  operationId: 'updateDataRecord',
  method: 'PUT',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}',
  tag: 'Data records',
  summary: 'Change a data record',
  access: writers,
  body: UpdateDataRecordRequest,
  response: { status: 200, schema: DataRecordResponse },
  errors: { 409: 'The record is retired.' },
  handler: async ({ context, params, body }) =>
    presentDataRecord(await updateDataRecord(context, params.data_type_id, params.record_id, body)),
});

const remove = defineRoute({
  operationId: 'deleteDataRecord',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}',
  tag: 'Data records',
  summary: 'Delete a data record',
  description:
    'For good, with its history of changes, the events that tell of it, and what is kept of answers that showed it.',
  access: workspaceMember({ scope: 'records:admin', permission: 'records:admin' }),
  response: { status: 200, schema: DeletedRecordResponse },
  handler: async ({ context, params }) => {
    await deleteDataRecord(context, params.data_type_id, params.record_id);
    return { status: 'deleted' as const };
  },
});

const retire = defineRoute({
  operationId: 'retireDataRecord',
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}/retire',
  tag: 'Data records',
  summary: 'Take a data record out of use',
  description:
    "It leaves the lists, makes room for another where a type holds one a member, and is changed no more, but can be read. One's own that one may change, or any with the permission records:write or data:write:<slug>. Retired again, it stays as it is.",
  access: writers,
  body: RetireDataRecordRequest,
  response: { status: 200, schema: DataRecordResponse },
  handler: async ({ context, params, body }) =>
    presentDataRecord(
      await retireDataRecord(context, params.data_type_id, params.record_id, body.reason ?? null),
    ),
});

const restore = defineRoute({
  operationId: 'restoreDataRecord',
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}/restore',
  tag: 'Data records',
  summary: 'Take a retired data record back into use',
  access: writers,
  response: { status: 200, schema: DataRecordResponse },
  errors: {
    409: 'The member has another record by now, in a type that holds one a member; or another record has a unique value.',
  },
  handler: async ({ context, params }) =>
    presentDataRecord(await restoreDataRecord(context, params.data_type_id, params.record_id)),
});

export const recordRoutes = [
  listRoute,
  create,
  updateByExternalId,
  get,
  update,
  remove,
  retire,
  restore,
  importRecords,
  ...exportRoutes,
];
