import Type, { type Static } from 'typebox';
import { Nullable, Page, PageQuery, Timestamp } from '../../../http/schemas.js';

export const WebhookAttemptResponse = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    startedAt: Timestamp,
    durationMs: Nullable(Type.Integer({ minimum: 0 })),
    statusCode: Nullable(Type.Integer({ description: 'Null if there was no response' })),
    errorCode: Nullable(
      Type.String({ description: 'A code: why there was no response, or that the attempt was lost' }),
    ),
    responseBody: Nullable(Type.String({ description: 'The first 2 KB of the response' })),
  },
  {
    $id: 'WebhookAttemptResponse',
    description: 'While an attempt is in progress, all fields but number and startedAt are null.',
  },
);
export type WebhookAttemptResponse = Static<typeof WebhookAttemptResponse>;

export const WebhookAttemptPage = Page(WebhookAttemptResponse);

export const ListWebhookAttemptsQuery = PageQuery(['number']);
