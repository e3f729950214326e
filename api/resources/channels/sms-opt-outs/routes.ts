import { liftOwnSmsOptOut, optMemberOutOfSms } from '../../../../domain/channels/outreach/opt-outs.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';

const path = '/w/{workspace_uuid}/members/{member_id}/sms-opt-outs';
const access = workspaceMember({ scope: 'members:write' });

const optOut = defineRoute({
  operationId: 'optMemberOutOfSms',
  method: 'PUT',
  path,
  tag: 'Members',
  summary: 'Opt a member out of SMS',
  description:
    "For the caller's own member, or any with the permission members:write. Has the effect of STOP: no SMS is sent to the member, from any number of the workspace and to any number of the member. `smsOptedOutAt` of the member shows since when.",
  access,
  example: { params: { member_id: demo.memberToDisable } },
  response: { status: 204 },
  handler: async ({ context, params }) => optMemberOutOfSms(context, params.member_id),
});

const optIn = defineRoute({
  operationId: 'liftSmsOptOut',
  method: 'DELETE',
  path,
  tag: 'Members',
  summary: "Lift the caller's own opt-out of SMS",
  description:
    "For the caller's own member only, because nobody can consent for another person; for any other member the answer is 404. The caller must have signed in with its account: API keys, and tokens that were made for the member, lift nothing. START by SMS does the same. An opt-out that the carrier keeps for a number can only be lifted by START.",
  access,
  example: { params: { member_id: demo.adminMemberId } },
  response: { status: 204 },
  errors: {
    409: 'The member has opted out, and the caller has not signed in with its account (`opted_out`).',
  },
  handler: async ({ context, params }) => liftOwnSmsOptOut(context, params.member_id),
});

export const smsOptOutRoutes = [optOut, optIn];
