import Type from 'typebox';
import { optOutChannels, optOutSources } from '../../../../db/channels/opt-out-proofs.js';
import { listOptOuts } from '../../../../domain/channels/outreach/opt-outs.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Id, Nullable, OneOf, Picked, Time, Timestamp } from '../../../http/schemas.js';

const channels = ['web-chat', 'phone-sms', 'phone-voice', 'email'] as const;

const OptOutsResponse = Type.Object(
  {
    items: Type.Array(
      Picked(
        {
          channel: OneOf(optOutChannels, { description: 'What the member does not want' }),
          source: OneOf(optOutSources, {
            description:
              'keyword: STOP and its like; words: a message that says so in other words; agent: the agent, to whom the member has said so; link: the link of an email; request: this API; carrier: the carrier refuses to send; complaint: the member called an email spam',
          }),
          heardOn: Nullable(
            OneOf(channels, { description: 'The channel of the words; null: there are none' }),
          ),
          words: Nullable(
            Type.String({
              description:
                'The message of the member, at most its first 2,000 characters; by the agent, the message that it quotes, or what it has heard',
            }),
          ),
          byMemberId: Nullable(Type.Integer({ ...Id, description: 'Who asked the API for it' })),
          optedOutAt: Time({ ...Timestamp, description: 'When the member said so' }),
          liftedAt: Nullable(
            Time({
              ...Timestamp,
              description: 'When the member opted in again; null: the opt-out is in force',
            }),
          ),
        },
        { $id: 'OptOut' },
      ),
      { description: 'The newest first', maxItems: 100 },
    ),
  },
  { $id: 'OptOutsResponse' },
);

const list = defineRoute({
  operationId: 'listOptOuts',
  method: 'GET',
  path: '/w/{workspace_uuid}/members/{member_id}/opt-outs',
  tag: 'Members',
  summary: 'List what a member has opted out of, with the proof',
  description:
    "For the caller's own member, or any with the permission members:read: of what, when, in which words and by which way. The newest hundred, also those that were lifted since.",
  access: workspaceMember({ scope: 'members:read' }),
  example: { params: { member_id: demo.adminMemberId } },
  response: { status: 200, schema: OptOutsResponse },
  handler: async ({ context, params }) => ({ items: await listOptOuts(context, params.member_id) }),
});

export const optOutRoutes = [list];
