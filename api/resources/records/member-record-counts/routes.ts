import { countMemberRecords } from '../../../../domain/records/data-records/queries/count-member-records.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { MemberRecordCountsQuery, MemberRecordCountsResponse } from './schemas.js';

const count = defineRoute({
  operationId: 'countMemberRecords',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/member-record-counts',
  tag: 'Data records',
  summary: 'Count the data records of a member by type',
  description:
    'For another member: only types whose records the caller may read for all members (permission data:read or data:read:<slug>). For the caller: all types.',
  access: workspaceMember({ scope: 'datatypes:read' }),
  query: MemberRecordCountsQuery,
  response: { status: 200, schema: MemberRecordCountsResponse },
  handler: async ({ context, query }) => ({
    counts: Object.fromEntries(await countMemberRecords(context, query.member_id)),
  }),
});

export const memberRecordCountRoutes = [count];
