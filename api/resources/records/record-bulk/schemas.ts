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
      description: 'Each as if it came by itself, one after the other: up to 1,000, and 1 MiB',
    },
  ),
  atomic: Type.Boolean({
    default: false,
    description: 'All of them or, with a 400 that points at /records/<place>/…, none',
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
        index: Type.Integer({ minimum: 0, description: 'Place in records, from 0' }),
        status: OneOf(['created', 'updated', 'unchanged', 'failed']),
        id: Type.Optional(Id),
        errors: Type.Optional(
          Type.Array(
            Type.Object({
              pointer: Type.String({ description: 'JSON pointer into the record; empty for all of it' }),
              message: Type.String(),
            }),
          ),
        ),
      }),
    ),
  },
  { $id: 'BulkRecordsResponse' },
);
