import Type from 'typebox';
import { emailOptOutSources } from '../../../../db/channels/email-opt-outs.js';
import { liftEmailOptOuts, listEmailOptOuts } from '../../../../domain/channels/email/opt-outs.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { OneOf, Time, Timestamp } from '../../../http/schemas.js';

const path = '/w/{workspace_uuid}/members/{member_id}/email-opt-outs';

const EmailOptOutsResponse = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          source: OneOf(emailOptOutSources, {
            description:
              'link: the person unsubscribed, and gets replies only; complaint: the person called an email spam; bounce: the mailbox did not exist, for 30 days',
          }),
          optedOutAt: Time({
            ...Timestamp,
            description: 'When the person, or its mail server, last said so',
          }),
        },
        { $id: 'EmailOptOut' },
      ),
      { description: 'What is in force; empty: email is sent to the address', maxItems: 10 },
    ),
  },
  { $id: 'EmailOptOutsResponse' },
);

const list = defineRoute({
  operationId: 'listEmailOptOuts',
  method: 'GET',
  path,
  tag: 'Members',
  summary: 'List how a member has opted out of email',
  description:
    "For the caller's own member, or any with the permission members:read. Opt-outs are of the address that the member has now.",
  access: workspaceMember({ scope: 'members:read' }),
  example: { params: { member_id: demo.adminMemberId } },
  response: { status: 200, schema: EmailOptOutsResponse },
  handler: async ({ context, params }) => ({ items: await listEmailOptOuts(context, params.member_id) }),
});

const lift = defineRoute({
  operationId: 'liftEmailOptOuts',
  method: 'DELETE',
  path,
  tag: 'Members',
  summary: "Lift a member's opt-outs of email",
  description:
    "For the caller's own member, all of them, if the caller has signed in with its account, which has proved the address; otherwise, and with the permission members:write for any other, only that the mailbox did not exist (`bounce`): nobody can consent for another person, and neither API keys nor tokens for a member do. An email that the person sends to an inbox afterwards lifts a bounce, and turns a complaint into a `link`: replies are sent again.",
  access: workspaceMember({ scope: 'members:write' }),
  example: { params: { member_id: demo.adminMemberId } },
  response: { status: 204 },
  errors: {
    409: 'Nothing is left that the caller may lift: the person has unsubscribed, or called an email spam (`opted_out`).',
  },
  handler: async ({ context, params }) => liftEmailOptOuts(context, params.member_id),
});

export const emailOptOutRoutes = [list, lift];
