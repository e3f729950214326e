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
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { WebhookDeliveryResponse } from '../webhook-deliveries/schemas.js';

const types = Object.keys(eventTypes) as EventType[];

const fields = {
  id: Type.String({
    ...Uuid,
    description: 'The `id` in the body, the `webhook-id` of requests and the `eventId` of deliveries',
  }),
  eventType: OneOf(types, { description: 'The event type' }),
  dataRecordId: Nullable(
    Type.Integer({ minimum: 1, description: 'The data record that the event is about' }),
  ),
  isTest: Type.Boolean({ description: 'True for a sample, sent by a test of an event rule' }),
  createdAt: Timestamp,
  payload: Type.Record(Type.String(), Type.Unknown(), { description: 'The body that receivers get' }),
};

export const StoredEventResponse = Picked(fields, { $id: 'StoredEventResponse' });

export const StoredEventWithDeliveriesResponse = Picked(
  {
    ...fields,
    deliveries: Type.Array(WebhookDeliveryResponse, {
      description: 'Deliveries by all event rules, newest first, up to 100',
    }),
    deliveriesAreCut: Type.Optional(Type.Boolean({ description: 'True if there are more than 100' })),
  },
  { $id: 'StoredEventWithDeliveriesResponse' },
);

export const StoredEventPage = CountedPage(StoredEventResponse);

export const ListEventsQuery = PageQuery(
  ['createdAt'],
  {
    eventType: Type.Optional(OneOf(types)),
    dataRecordId: Type.Optional(Id),
    isTest: Type.Optional(Type.Boolean({ description: 'True: samples only; false: no samples' })),
    ...createdBetween,
  },
  'desc',
);
export type ListEventsQuery = Static<typeof ListEventsQuery>;

/** The public id of an event is the uuid that receivers get. */
export const EventParams = Type.Object({ workspace_uuid: Uuid, event_id: Uuid });
