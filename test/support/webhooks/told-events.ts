import { compileAnswer } from '../../../api/http/validation/validation.js';
import { type EventType, eventTypes } from '../../../domain/kernel/events/event-types.js';
import { eventSchemas } from '../../../domain/kernel/events/payloads.js';
import type { Place } from '../workspace/factories.js';

/** The body of an event, as receivers get it. */
export type ToldEvent = { event: EventType; id: string; operation?: string } & Record<string, unknown>;

type Where = Pick<Place, 'database' | 'workspaceId'>;

const errorsIn = new Map(
  (Object.keys(eventTypes) as EventType[]).map((type) => [type, compileAnswer(eventSchemas[type])]),
);

/**
 * What has been told in a workspace, in order, after an event's row. Each body is as its schema declares, with no field
 * more. @throws when one is not
 */
export async function toldEvents(
  { database, workspaceId }: Where,
  afterId = 0,
): Promise<{ id: number; body: ToldEvent }[]> {
  const rows = await database.inWorkspace(workspaceId, (tx) =>
    tx('events').where('id', '>', afterId).orderBy('id').select('id', 'uuid', 'event_type', 'body'),
  );
  return rows.map(({ id, uuid, event_type, body: text }) => {
    const body: ToldEvent = JSON.parse(text);
    if (body.id !== uuid || body.event !== event_type) throw new Error(`event ${id} says it is another`);
    const errors = errorsIn.get(body.event)?.(body) ?? [];
    if (errors.length > 0) throw new Error(`${event_type} is not as declared: ${JSON.stringify(errors)}`);
    return { id, body };
  });
}

/** What was told meanwhile. */
export async function toldDuring(place: Where, work: () => Promise<unknown>): Promise<ToldEvent[]> {
  const last = (await toldEvents(place)).at(-1)?.id ?? 0;
  await work();
  return (await toldEvents(place, last)).map(({ body }) => body);
}

/** `data_record:changed` with its operation, all others by their type. */
export function namesOf(events: readonly ToldEvent[]): string[] {
  return events.map(({ event, operation }) => (operation === undefined ? event : `${event} ${operation}`));
}
