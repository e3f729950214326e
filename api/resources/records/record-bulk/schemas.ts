import Type from 'typebox';
import { Id, OneOf } from '../../../http/schemas.js';
import { accessMode, externalId, FieldValues } from '../data-records/schemas.js';

export const BulkRecordsRequest = Type.Object({
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

export const BulkRecordsResponse = Type.Object(
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
