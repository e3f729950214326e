import Type from 'typebox';
import { Timestamp } from '../../../http/schemas.js';

export const DeliverMissedEventsRequest = Type.Object(
  { since: Type.Optional(Timestamp), until: Type.Optional(Timestamp) },
  {
    description: 'Events from since (inclusive) to until (exclusive). Without them: all missed events.',
  },
);

export const MissedEventsResponse = Type.Object(
  {
    queued: Type.Integer({ minimum: 0, maximum: 10_000, description: 'New deliveries' }),
    more: Type.Boolean({
      description: 'Missed events remain: call again when fewer deliveries are pending',
    }),
  },
  { $id: 'MissedEventsResponse' },
);
