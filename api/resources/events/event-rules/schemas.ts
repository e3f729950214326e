import Type, { type Static } from 'typebox';
import { type EventType, eventTypes } from '../../../../domain/events/events/event-types.js';
import { Id, Name, Nullable, OneOf, Page, PageQuery, Timestamp, Uuid } from '../../../http/schemas.js';

const types = Object.keys(eventTypes) as EventType[];
const disabledReasons = ['by_member', 'gone', 'failing'] as const;

const shownUrl = Type.String({ description: 'Where its events are sent, in its one spelling' });
const madeSecret = Type.Optional(
  Type.String({
    description: 'What deliveries are signed with. It is shown this once; absent where unsigned.',
  }),
);

const shown = {
  id: Id,
  uuid: Uuid,
  name: Type.String(),
  eventType: OneOf(types),
  actionType: OneOf(['webhook:send']),
};

const state = {
  enabled: Type.Boolean(),
  disabledAt: Nullable(Timestamp),
  disabledReason: Nullable(
    OneOf(disabledReasons, {
      description: 'by_member; or by the service: gone (the receiver answered 410), failing (for five days)',
    }),
  ),
  receiverAnsweredAt: Nullable(
    Type.String({
      ...Timestamp,
      description:
        'When the host of the receiver first answered this workspace with 2xx, be it to a test. Null: it never has, and is sent one request at a time, ever less often',
    }),
  ),
  failingSince: Nullable(
    Type.String({ format: 'date-time', maxLength: 40, description: 'Since when every delivery has failed' }),
  ),
  secrets: Type.Array(
    Type.Object({
      uuid: Uuid,
      createdAt: Timestamp,
      expiresAt: Nullable(Timestamp),
    }),
    { description: 'The signing secrets that are valid, newest first: each signs. None: nothing is signed.' },
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const EventRuleResponse = Type.Object(
  { ...shown, actionParams: Type.Object({ webhookUrl: shownUrl }), ...state },
  { $id: 'EventRuleResponse' },
);
export type EventRuleResponse = Static<typeof EventRuleResponse>;

export const EventRuleWithSecretResponse = Type.Object(
  {
    ...shown,
    actionParams: Type.Object({ webhookUrl: shownUrl, signingSecret: madeSecret }),
    ...state,
  },
  { $id: 'EventRuleWithSecretResponse' },
);

export const EventRulePage = Page(EventRuleResponse);

const name = Name();
const eventType = OneOf(types, {
  description:
    'What the receiver is told of; one type a rule. A `call:` type is refused with the code `voice_unavailable`: calls are not available in this version',
});
const webhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'HTTPS (plain HTTP only outside of production), and no private address',
});
const signingSecret = Type.Optional(
  Nullable(
    Type.String({
      minLength: 8,
      maxLength: 256,
      description:
        'Visible ASCII; after `whsec_` base64 of 24 to 64 bytes. Left out: one is made. Null: deliveries are not signed.',
    }),
  ),
);

export const CreateEventRuleRequest = Type.Object(
  {
    name,
    eventType,
    actionType: OneOf(['webhook:send']),
    actionParams: Type.Object({ webhookUrl, signingSecret }),
  },
  { $id: 'CreateEventRuleRequest' },
);

export const UpdateEventRuleRequest = Type.Object(
  {
    name: Type.Optional(name),
    eventType: Type.Optional(eventType),
    actionParams: Type.Optional(Type.Object({ webhookUrl })),
  },
  { $id: 'UpdateEventRuleRequest' },
);

export const longestOverlapSeconds = 86_400;

export const RotateSecretRequest = Type.Object(
  {
    signingSecret,
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestOverlapSeconds,
        default: longestOverlapSeconds,
        description: 'How long the secrets before stay valid; 0 ends them at once',
      }),
    ),
  },
  { $id: 'RotateSecretRequest' },
);

export const ListEventRulesQuery = PageQuery(['name', 'createdAt', 'updatedAt'], {
  eventType: Type.Optional(OneOf(types)),
  enabled: Type.Optional(Type.Boolean()),
});
