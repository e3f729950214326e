import Type from 'typebox';
import { Timestamp } from '../../../http/schemas.js';

export const RedeliverFailedEventsRequest = Type.Object(
  { since: Timestamp, until: Type.Optional(Timestamp) },
  {
    description:
      'Selects deliveries by their creation: from since (inclusive) to until (exclusive), if given.',
  },
);

export const RedeliveredResponse = Type.Object(
  {
    redelivered: Type.Integer({ minimum: 0, maximum: 10_000, description: 'New deliveries' }),
    more: Type.Boolean({ description: 'More failed deliveries remain: call again' }),
  },
  { $id: 'RedeliveredResponse' },
);
