import Type from 'typebox';
import { countMemberRecords } from '../../../../domain/records/data-records/queries/count-member-records.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Id } from '../../../http/schemas.js';

const MemberRecordCountsResponse = Type.Object(
  {
    counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'Number of records by data type id, without retired ones',
    }),
  },
  { $id: 'MemberRecordCountsResponse' },
);

const count = defineRoute({
  operationId: 'countMemberRecords',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/member-record-counts',
  tag: 'Data records',
  summary: 'Count the data records of a member by type',
  description:
    'For another member: only types whose records the caller may read for all members (permission data:read or data:read:<slug>). For the caller: all types.',
  access: workspaceMember({ scope: 'datatypes:read' }),
  query: Type.Object({ member_id: Id }),
  example: { query: { member_id: demo.memberId } },
  response: { status: 200, schema: MemberRecordCountsResponse },
  handler: async ({ context, query }) => ({
    counts: Object.fromEntries(await countMemberRecords(context, query.member_id)),
  }),
});

export const memberRecordCountRoutes = [count];
