import Type, { type Static } from 'typebox';
import { type EventType, eventTypes } from '../../../../domain/kernel/events/event-types.js';
import {
  CountedPage,
  createdBetween,
  Id,
  Nullable,
  OneOf,
  PageQuery,
  Picked,
  TimeInput,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';

const types = Object.keys(eventTypes) as EventType[];
const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;
const triggers = ['event', 'redelivery', 'test', 'missed'] as const;

export const webhookFailureReasons = [
  'attempts_exhausted',
  'gone',
  'rule_disabled',
  'rule_deleted',
  'cancelled_by_member',
  'run_cancelled',
  'run_terminated',
] as const;

const fields = {
  id: Id,
  uuid: Uuid,
  eventRuleId: Id,
  eventId: Type.String({
    ...Uuid,
    description: 'The `id` in the body and the `webhook-id` of the request; the same for every attempt',
  }),
  eventType: OneOf(types, { description: 'The event type' }),
  trigger: OneOf(triggers, {
    description:
      'Why the delivery was created: by the event itself (event), a request to redeliver it (redelivery), a test of the rule (test), or a request for the events that happened while the rule was disabled (missed)',
  }),
  status: OneOf(statuses, { description: 'pending until it is delivered, has failed or is cancelled' }),
  failureReason: Nullable(OneOf(webhookFailureReasons, { description: 'Why it failed or was cancelled' })),
  attemptCount: Type.Integer({ minimum: 0 }),
  lastStatusCode: Nullable(Type.Integer({ description: 'The status of the latest response' })),
  nextAttemptAt: Nullable(Timestamp),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
};

export const WebhookDeliveryResponse = Picked(fields, { $id: 'WebhookDeliveryResponse' });

export const WebhookDeliveryWithPayloadResponse = Picked(
  {
    ...fields,
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The body that the receiver gets',
    }),
  },
  { $id: 'WebhookDeliveryWithPayloadResponse' },
);

/** The time that an optional field gives. */
export const timeOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

const formerly = (name: string) =>
  Type.Optional(
    Type.String({
      ...TimeInput,
      deprecated: true,
      description: `The former name of ${name}, which takes precedence`,
    }),
  );

/** A period of creation in a body. */
export const createdPeriod = {
  ...createdBetween,
  since: formerly('createdFrom'),
  until: formerly('createdBefore'),
};

/** The period that a body gives, by its present or its former names. */
export function periodOf(
  body: Partial<Record<'createdFrom' | 'createdBefore' | 'since' | 'until', string>>,
): { since: Date | undefined; until: Date | undefined } {
  return {
    since: timeOf(body.createdFrom ?? body.since),
    until: timeOf(body.createdBefore ?? body.until),
  };
}

export const WebhookDeliveryPage = CountedPage(WebhookDeliveryResponse);

export const ListWebhookDeliveriesQuery = PageQuery(
  ['createdAt', 'completedAt'],
  {
    status: Type.Optional(OneOf(statuses)),
    eventType: Type.Optional(OneOf(types)),
    trigger: Type.Optional(OneOf(triggers)),
    eventId: Type.Optional(Uuid),
    ...createdBetween,
  },
  'desc',
);
export type ListWebhookDeliveriesQuery = Static<typeof ListWebhookDeliveriesQuery>;

export const WebhookFailuresResponse = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'How many deliveries are counted' }),
    totalIsExact: Type.Boolean({ description: 'False if more may have failed: the newest are counted' }),
    causes: Type.Array(
      Type.Object({
        failureReason: Type.String({
          description: `Why they failed. One of: ${webhookFailureReasons.join(', ')}.`,
        }),
        statusCode: Type.Optional(
          Type.Integer({ description: 'The status of the last response; absent where there was none' }),
        ),
        errorCode: Type.Optional(
          Type.String({ description: 'Why the last attempt had no response; absent where there was one' }),
        ),
        count: Type.Integer({ minimum: 1, description: 'How many failed so' }),
      }),
      { description: 'The most frequent first' },
    ),
  },
  { $id: 'WebhookFailuresResponse' },
);

export const AttemptedResponse = Type.Object(
  {
    attempted: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Deliveries whose next attempt is due now',
    }),
    more: Type.Boolean({ description: 'More may wait: call again' }),
  },
  { $id: 'AttemptedResponse' },
);
