import { type EventType, eventTypes } from '../../../domain/events/events/event-types.js';
import { eventSchemas } from '../../../domain/events/events/payloads.js';
import type { NamedSchemas } from '../named-schemas.js';
import type { OpenApiDocument, OpenApiOperation } from './types.js';

/** What receivers are sent, by the events' types. */
export function webhooks(components: NamedSchemas): OpenApiDocument['webhooks'] {
  const types = Object.keys(eventTypes) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: webhook(type, components) }]));
}

function webhook(eventType: EventType, components: NamedSchemas): OpenApiOperation {
  return {
    operationId: operationIdOf(eventType),
    tags: ['Events'],
    summary: eventTypes[eventType].replace(/\.$/, ''),
    description: told,
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.refer(eventSchemas[eventType]) } },
    },
    responses,
    // Receivers check a signature, which is no scheme that OpenAPI knows.
    security: [{}],
  };
}

/** `data_record:created` → `receiveDataRecordCreated`. */
function operationIdOf(eventType: EventType): string {
  const words = eventType.split(/[_:]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `receive${words.join('')}`;
}

const told = `Sent to the receiver of each event rule of this type that was enabled when it happened. It may come more than
once, and later than what happened after it: tell by \`id\`. Where the rule has a signing secret, check one of the two
signatures over the bytes of the body as they came, and refuse what is older than five minutes.`;

const header = (
  name: string,
  required: boolean,
  description: string,
  schema: object = { type: 'string' },
) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});
const seconds = { type: 'string', pattern: '^\\d+$' };

const headers = [
  header('webhook-id', true, "The event's id: the same each time it is sent.", {
    type: 'string',
    format: 'uuid',
  }),
  header('webhook-timestamp', true, 'When it was sent, in seconds since 1970.', seconds),
  header('X-Webhook-Timestamp', true, 'The same.', seconds),
  header(
    'webhook-signature',
    false,
    'Signatures by Standard Webhooks (https://www.standardwebhooks.com), separated by spaces: one for each secret that is valid. Where the rule has a secret.',
    { type: 'string', pattern: '^v1,\\S+( v1,\\S+)*$' },
  ),
  header(
    'X-Webhook-Signature',
    false,
    'The time and, for each secret that is valid, HMAC-SHA256 over the time, a full stop and the body, in hexadecimal digits; the key is the secret as it is written. Where the rule has a secret.',
    { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
  ),
];

const responses = {
  '2XX': { description: 'Taken. It is not sent again. To be answered within 15 seconds.' },
  '410': { description: 'Nobody is here any more: the rule is disabled, and the workspace is told.' },
  default: {
    description:
      'Not taken: it is sent again, later each time, for some days. `Retry-After` is heeded. A redirect counts as this.',
  },
};
