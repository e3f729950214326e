import Type, { type Static } from 'typebox';
import { Nullable, Page, PageQuery, Timestamp } from '../../../http/schemas.js';

export const WebhookAttemptResponse = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    startedAt: Timestamp,
    durationMs: Nullable(Type.Integer({ minimum: 0 })),
    statusCode: Nullable(Type.Integer({ description: 'Null where there was no answer' })),
    errorCode: Nullable(
      Type.String({ description: 'Why there was no answer, or that the attempt got lost: a code' }),
    ),
    responseBody: Nullable(Type.String({ description: 'The first 2 KB of the answer' })),
  },
  {
    $id: 'WebhookAttemptResponse',
    description: 'An attempt that is under way has a number and a start, and null for the rest.',
  },
);
export type WebhookAttemptResponse = Static<typeof WebhookAttemptResponse>;

export const WebhookAttemptPage = Page(WebhookAttemptResponse);

export const ListWebhookAttemptsQuery = PageQuery(['number']);
