import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { OneOf, Timestamp, Uuid } from '../../lib/schema-parts.js';
import type { EventType } from './event-types.js';
import {
  EventChat,
  EventDataRecord,
  EventEndedCall,
  EventMember,
  EventStartedCall,
} from './payload-parts.js';

/** The top-level fields of an event's body, besides those that all events have (specification: Events). */
const payloads = {
  'data_record:created': { dataRecord: EventDataRecord },
  'data_record:updated': { dataRecord: EventDataRecord },
  'data_record:changed': { operation: OneOf(['created', 'updated']), dataRecord: EventDataRecord },
  'member:updated': { member: EventMember },
  'chat:created': { chat: EventChat },
  'call:started': { chat: EventChat, call: EventStartedCall },
  'call:completed': { chat: EventChat, call: EventEndedCall },
  'call:summary': {
    chat: EventChat,
    call: EventEndedCall,
    summary: Type.String({ description: 'What the call was about' }),
  },
} as const satisfies Record<EventType, TProperties>;

/** The type-specific part of an event's body. */
export type EventPayload<Type extends EventType> = {
  [Field in keyof (typeof payloads)[Type]]: (typeof payloads)[Type][Field] extends TSchema
    ? Static<(typeof payloads)[Type][Field]>
    : never;
};

/** The schemas of the complete bodies that receivers get, by event type. */
export const eventSchemas: Readonly<Record<EventType, TSchema>> = Object.fromEntries(
  (Object.keys(payloads) as EventType[]).map((eventType) => [eventType, bodySchema(eventType)]),
) as Record<EventType, TSchema>;

function bodySchema(eventType: EventType): TSchema {
  return Type.Object(
    {
      event: Type.Literal(eventType),
      id: Type.String({ ...Uuid, description: 'The same each time the event is sent: `webhook-id` as well' }),
      createdAt: Timestamp,
      workspaceUuid: Uuid,
      test: Type.Optional(
        Type.Literal(true, {
          description: 'A sample, sent because somebody asked for one: nothing happened',
        }),
      ),
      ...payloads[eventType],
    },
    { $id: schemaNameOf(eventType) },
  );
}

/** `data_record:created` → `DataRecordCreatedEvent`. */
function schemaNameOf(eventType: EventType): string {
  const words = eventType.split(/[_:]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
