import {
  liftOwnSmsOptOut,
  optMemberOutOfSms,
} from '../../../../domain/channels/outreach/change-sms-opt-out.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';

const path = '/w/{workspace_uuid}/members/{member_id}/sms-opt-outs';
const access = workspaceMember({ scope: 'members:write' });

const optOut = defineRoute({
  operationId: 'optMemberOutOfSms',
  method: 'PUT',
  path,
  tag: 'Members',
  summary: 'Opt a member out of SMS',
  description:
    'Oneself, or anyone with the permission members:write. As STOP does: nothing is sent to the member by SMS any more, from any number of the workspace and to whatever number it has. `smsOptedOutAt` of the member tells since when.',
  access,
  response: { status: 204 },
  handler: async ({ context, params }) => optMemberOutOfSms(context, params.member_id),
});

const optIn = defineRoute({
  operationId: 'liftSmsOptOut',
  method: 'DELETE',
  path,
  tag: 'Members',
  summary: 'Lift the own opt-out of SMS',
  description:
    'Oneself only, as nobody can consent for somebody else: for all others the answer is 404. START by SMS does the same. An opt-out that the carrier keeps for a number is lifted by START only.',
  access,
  response: { status: 204 },
  handler: async ({ context, params }) => liftOwnSmsOptOut(context, params.member_id),
});

export const smsOptOutRoutes = [optOut, optIn];
