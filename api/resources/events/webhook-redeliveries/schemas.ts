import Type from 'typebox';
import { Timestamp } from '../../../http/schemas.js';

export const RedeliverFailedEventsRequest = Type.Object(
  { since: Timestamp, until: Type.Optional(Timestamp) },
  { description: 'Which deliveries, by when they were created: from since on, and before until if told.' },
);

export const RedeliveredResponse = Type.Object(
  {
    redelivered: Type.Integer({ minimum: 0, maximum: 10_000, description: 'New deliveries' }),
    more: Type.Boolean({ description: 'There are more: call again' }),
  },
  { $id: 'RedeliveredResponse' },
);
