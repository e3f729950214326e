import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, Timestamp, Uuid } from '../../http/schemas.js';

const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;
const triggers = ['event', 'redelivery', 'test'] as const;

const fields = {
  id: Id,
  uuid: Uuid,
  eventRuleId: Id,
  eventId: Type.String({
    format: 'uuid',
    minLength: 36,
    maxLength: 36,
    description: 'The `id` in the body and the `webhook-id` of the request: the same each time it is sent',
  }),
  eventType: Type.String({ description: 'What happened' }),
  trigger: OneOf(triggers, { description: 'What made it: the event itself, somebody who asked, or a test' }),
  status: OneOf(statuses, { description: 'pending until it is taken, given up or called off' }),
  failureReason: Nullable(Type.String({ description: 'Why it was given up or called off: a code' })),
  attemptCount: Type.Integer({ minimum: 0 }),
  lastStatusCode: Nullable(Type.Integer({ description: 'The status of the latest answer' })),
  nextAttemptAt: Nullable(Timestamp),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
};

export const WebhookDeliveryResponse = Type.Object(fields, { $id: 'WebhookDeliveryResponse' });
export type WebhookDeliveryResponse = Static<typeof WebhookDeliveryResponse>;
