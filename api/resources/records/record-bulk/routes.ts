import Type from 'typebox';
import { saveDataRecords } from '../../../../domain/records/data-records/writing/save-data-records.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Id, OneOf } from '../../../http/schemas.js';
import { accessMode, externalId, FieldValues } from '../data-records/schemas.js';

const BulkRecordsRequest = Type.Object({
  records: Type.Array(
    Type.Object({
      fieldValues: FieldValues,
      externalId: Type.Optional(externalId),
      memberId: Type.Optional(Id),
      accessMode,
    }),
    {
      minItems: 1,
      maxItems: 1_000,
      description: 'Processed in order, as if sent one by one: up to 1,000 records and 1 MiB',
    },
  ),
  atomic: Type.Boolean({
    default: false,
    description:
      'Write all records or none; on an error, the answer is a 400 that points to /records/<index>/…',
  }),
});

const count = Type.Integer({ minimum: 0 });

const BulkRecordsResponse = Type.Object(
  {
    created: count,
    updated: count,
    unchanged: count,
    failed: count,
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: 'Position in records, from 0' }),
        status: OneOf(['created', 'updated', 'unchanged', 'failed']),
        id: Type.Optional(Id),
        errors: Type.Optional(
          Type.Array(
            Type.Object({
              pointer: Type.String({
                description: 'JSON pointer into the record; empty for the whole record',
              }),
              message: Type.String(),
            }),
          ),
        ),
      }),
    ),
  },
  { $id: 'BulkRecordsResponse' },
);

const bulk = defineRoute({
  operationId: 'saveDataRecords',
  audit: { not: 'changes of a record are kept with it, with who made them: listDataRecordChanges' },
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/bulk',
  tag: 'Data records',
  summary: 'Create and change many data records',
  description:
    "Each item updates the record with its externalId; otherwise, if the type allows one record per member, the member's record; otherwise it creates one. Refused items are reported by their index, and the others are written. Records of other members need the permission records:write or data:write:<slug>.",
  access: workspaceMember({ scope: 'data:write' }),
  body: BulkRecordsRequest,
  example: {
    body: {
      records: [
        {
          externalId: 'visit-10',
          memberId: demo.memberId,
          fieldValues: { reason: 'Vaccination', status: 'planned' },
        },
        {
          externalId: 'visit-11',
          memberId: demo.memberId,
          fieldValues: { reason: 'Blood test', status: 'done' },
        },
      ],
    },
  },
  response: { status: 200, schema: BulkRecordsResponse },
  idempotent: true,
  errors: { 409: 'Concurrent requests are changing the same records.' },
  handler: async ({ context, params, body }) =>
    saveDataRecords(context, params.data_type_id, body.records, { atomic: body.atomic }),
});

export const recordBulkRoutes = [bulk];
