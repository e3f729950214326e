import Type from 'typebox';
import { type EventType, eventTypes } from '../../../../domain/kernel/events/event-types.js';
import {
  Id,
  Name,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Time,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';

const types = Object.keys(eventTypes) as EventType[];
const disabledReasons = ['by_member', 'gone', 'failing'] as const;

const shownUrl = Type.String({ description: 'The URL that events are sent to, in normalised form' });
const madeSecret = Type.Optional(
  Type.String({
    description:
      'The secret that signs deliveries, shown only this once; absent if deliveries are not signed.',
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
      description: 'by_member; or, by the service: gone (the receiver answered 410), failing (for five days)',
    }),
  ),
  receiverAnsweredAt: Nullable(
    Time({
      ...Timestamp,
      description:
        "When the receiver's host first answered this workspace with 2xx, including to a test. Null: never; it then gets one request at a time, with growing delays",
    }),
  ),
  failingSince: Nullable(Time({ ...Timestamp, description: 'Since when all deliveries have failed' })),
  secrets: Type.Array(Picked({ uuid: Uuid, createdAt: Timestamp, expiresAt: Nullable(Timestamp) }), {
    description:
      'The valid signing secrets, newest first; deliveries are signed with all of them. Empty: deliveries are not signed.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const EventRuleResponse = Picked(
  { ...shown, actionParams: Type.Object({ webhookUrl: shownUrl }), ...state },
  { $id: 'EventRuleResponse' },
);

export const EventRuleWithSecretResponse = Picked(
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
  description: 'The event type that the rule sends',
});
const webhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'HTTPS (plain HTTP only outside of production); private addresses are refused',
});
const signingSecret = Type.Optional(
  Nullable(
    Type.String({
      minLength: 8,
      maxLength: 256,
      description:
        'Visible ASCII; after the prefix `whsec_`, base64 of 24 to 64 bytes. Omitted: a secret is generated. Null: deliveries are not signed.',
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

export const maxOverlapSeconds = 86_400;

export const RotateSecretRequest = Type.Object(
  {
    signingSecret,
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxOverlapSeconds,
        default: maxOverlapSeconds,
        description: 'How long the earlier secrets stay valid; 0 ends them immediately',
      }),
    ),
  },
  { $id: 'RotateSecretRequest' },
);

export const ListEventRulesQuery = PageQuery(['name', 'createdAt', 'updatedAt'], {
  eventType: Type.Optional(OneOf(types)),
  enabled: Type.Optional(Type.Boolean()),
});
