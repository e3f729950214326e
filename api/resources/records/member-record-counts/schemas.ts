import Type from 'typebox';
import { Id } from '../../../http/schemas.js';

export const MemberRecordCountsQuery = Type.Object({ member_id: Id });

export const MemberRecordCountsResponse = Type.Object(
  {
    counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'Data type id to number of records, retired ones left out',
    }),
  },
  { $id: 'MemberRecordCountsResponse' },
);
