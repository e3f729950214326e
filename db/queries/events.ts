import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** An event to be stored. */
export interface EventToStore {
  uuid: string;
  eventType: string;
  /** A JSON object with at least one member: what stands in the body besides what every event has. */
  payload: string;
  /** The data record it tells of, if it does. */
  dataRecordId: number | null;
}

/**
 * Stores events in one statement. Their bodies begin with what every event has, in the same order. The workspace is
 * looked up by itself: PostgreSQL plans a join with it anew each time.
 */
export async function insertEvents(tx: Tx, events: readonly EventToStore[], createdAt: Date): Promise<void> {
  await prepared(
    tx,
    `insert into events (workspace_id, uuid, event_type, body, data_record_id, created_at)
     select ?, e.uuid, e.event_type,
       format('{"event":%s,"id":"%s","createdAt":"%s","workspaceUuid":"%s",%s',
         to_json(e.event_type), e.uuid, ?::text, (select uuid from identity.workspaces where id = ?),
         substr(e.payload, 2)),
       e.data_record_id, ?
     from unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[]) with ordinality
       as e (uuid, event_type, payload, data_record_id, place)
     order by e.place`,
    [
      tx.workspaceId,
      createdAt.toISOString(),
      tx.workspaceId,
      createdAt,
      events.map(({ uuid }) => uuid),
      events.map(({ eventType }) => eventType),
      events.map(({ payload }) => payload),
      events.map(({ dataRecordId }) => dataRecordId),
    ],
  );
}
