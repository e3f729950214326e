import Type from 'typebox';
import { Id } from '../../../http/schemas.js';

export const MemberRecordCountsQuery = Type.Object({ member_id: Id });

export const MemberRecordCountsResponse = Type.Object(
  {
    counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'Number of records by data type id, without retired ones',
    }),
  },
  { $id: 'MemberRecordCountsResponse' },
);
