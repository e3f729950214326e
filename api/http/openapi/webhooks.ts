import { type EventType, eventTypes } from '../../../domain/kernel/events/event-types.js';
import { eventSchemas } from '../../../domain/kernel/events/payloads.js';
import type { NamedSchemas } from '../validation/named-schemas.js';
import type { OpenApiDocument, OpenApiOperation } from './document.js';

/** Describes the requests that receivers get, by event type. */
export function webhooks(components: NamedSchemas): OpenApiDocument['webhooks'] {
  const types = Object.keys(eventTypes) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: webhook(type, components) }]));
}

function webhook(eventType: EventType, components: NamedSchemas): OpenApiOperation {
  const schema = components.refer(eventSchemas[eventType]);
  return {
    operationId: operationIdOf(eventType),
    tags: ['Events'],
    summary: eventTypes[eventType].replace(/\.$/, ''),
    description: told,
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses,
    // Receivers check a signature, for which OpenAPI has no security scheme.
    security: [{}],
  };
}

/** `data_record:created` → `receiveDataRecordCreated`. */
function operationIdOf(eventType: EventType): string {
  const words = eventType.split(/[_:]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `receive${words.join('')}`;
}

const told = `Sent to the receiver of each event rule of this type that was enabled when the event happened. An event may arrive more than
once, and after later events: detect duplicates by \`id\`. If the rule has a signing secret, verify one of the two
signatures over the raw bytes of the body, and reject requests older than five minutes.`;

const header = (name: string, required: boolean, description: string, schema: object) => {
  return { name, in: 'header', required, description, schema: { type: 'string', ...schema } };
};
const seconds = { pattern: '^\\d+$' };

const headers = [
  header('webhook-id', true, "The event's id; the same for every attempt.", { format: 'uuid' }),
  header('webhook-timestamp', true, 'The time of sending, in seconds since 1970.', seconds),
  header('X-Webhook-Timestamp', true, 'Same as `webhook-timestamp`.', seconds),
  header(
    'webhook-signature',
    false,
    'Signatures by Standard Webhooks (https://www.standardwebhooks.com), separated by spaces: one for each valid secret. Present if the rule has a secret.',
    { pattern: '^v1,\\S+( v1,\\S+)*$' },
  ),
  header(
    'X-Webhook-Signature',
    false,
    'The time and, for each valid secret, the HMAC-SHA256 of the time, a full stop and the body, in hexadecimal digits; the key is the secret as written. Present if the rule has a secret.',
    { pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
  ),
];

const responses = {
  '2XX': { description: 'Accepted: the event is not sent again. Answer within 15 seconds.' },
  '410': {
    description: 'The receiver no longer exists: the rule is disabled, and the workspace is notified.',
  },
  default: {
    description:
      'Not accepted: the event is sent again with growing delays, for several days. `Retry-After` is honoured. A redirect counts as not accepted.',
  },
};
