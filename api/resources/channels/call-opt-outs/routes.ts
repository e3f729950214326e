import { liftOwnCallOptOut, optMemberOutOfCalls } from '../../../../domain/channels/outreach/opt-outs.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';

const path = '/w/{workspace_uuid}/members/{member_id}/call-opt-outs';
const access = workspaceMember({ scope: 'members:write' });

const optOut = defineRoute({
  operationId: 'optMemberOutOfCalls',
  method: 'PUT',
  path,
  tag: 'Members',
  summary: 'Have a member called no more',
  description:
    "For the caller's own member, or any with the permission members:write. No task, agent or colleague calls the member, at any of its numbers; its own calls are answered. SMS are still sent: who is opted out of SMS is not called either. `GET W/members/{member_id}/opt-outs` shows it.",
  access,
  example: { params: { member_id: demo.memberToDisable } },
  response: { status: 204 },
  handler: async ({ context, params }) => optMemberOutOfCalls(context, params.member_id),
});

const optIn = defineRoute({
  operationId: 'liftCallOptOut',
  method: 'DELETE',
  path,
  tag: 'Members',
  summary: "Lift the caller's own opt-out of calls",
  description:
    "For the caller's own member only, because nobody can consent for another person; for any other member the answer is 404. The caller must have signed in with its account: API keys, and tokens that were made for the member, lift nothing, nor does START by SMS.",
  access,
  example: { params: { member_id: demo.adminMemberId } },
  response: { status: 204 },
  errors: {
    409: 'The member has opted out, and the caller has not signed in with its account (`opted_out`).',
  },
  handler: async ({ context, params }) => liftOwnCallOptOut(context, params.member_id),
});

export const callOptOutRoutes = [optOut, optIn];
