import { randomUUID } from 'node:crypto';
import type { WebhookDeliveryRow } from '../../../db/events/webhook-deliveries.js';
import type { EventType } from '../../../domain/kernel/events/event-types.js';
import type { Place } from '../workspace/factories.js';

export type AddedEvent = { id: number; uuid: string };

export interface EventOptions {
  eventType?: EventType;
  at?: Date;
  dataRecordId?: number;
  /** A sample. */
  isTest?: boolean;
  /** A field that enlarges the body. */
  filling?: string;
}

/** An event as a row, without deliveries. */
export async function addEvent(
  { database, workspaceId }: Place,
  { eventType = 'chat:created', at = new Date(), dataRecordId, isTest = false, filling }: EventOptions = {},
): Promise<AddedEvent> {
  const uuid = randomUUID();
  const body = JSON.stringify({ event: eventType, id: uuid, chat: { id: 1 }, filling });
  return database.inWorkspace(workspaceId, async (tx) => {
    const [row] = await tx('events')
      .insert({
        workspace_id: workspaceId,
        uuid,
        event_type: eventType,
        body,
        data_record_id: dataRecordId ?? null,
        is_test: isTest,
        created_at: at,
      })
      .returning('id');
    return { id: row.id, uuid };
  });
}

export interface DeliveryOptions extends Partial<Pick<WebhookDeliveryRow, 'status' | 'trigger'>> {
  /** One of its own unless told. */
  event?: AddedEvent;
  eventType?: EventType;
  at?: Date;
  completedAt?: Date;
  /** Attempts that it had. */
  attempts?: number;
}

export type AddedDelivery = { id: number; event: AddedEvent };

/** A delivery as rows, by whatever way it came to be as it is: delivered unless told, and without a run. */
export async function addDelivery(
  place: Place,
  eventRuleId: number,
  options: DeliveryOptions = {},
): Promise<AddedDelivery> {
  const { database, workspaceId } = place;
  const { eventType = 'chat:created', status = 'delivered', trigger = 'event', at = new Date() } = options;
  const event = options.event ?? (await addEvent(place, { eventType, at }));
  const isPending = status === 'pending';
  return database.inWorkspace(workspaceId, async (tx) => {
    const [{ id }] = await tx('webhook_deliveries')
      .insert({
        workspace_id: workspaceId,
        event_rule_id: eventRuleId,
        event_id: event.id,
        event_type: eventType,
        trigger,
        status,
        failure_reason: status === 'failed' ? 'attempts_exhausted' : null,
        next_attempt_at: isPending ? at : null,
        created_at: at,
        completed_at: isPending ? null : (options.completedAt ?? at),
      })
      .returning('id');
    const [rule] = await tx('event_rules').where({ id: eventRuleId }).select('webhook_endpoint_id');
    for (let number = 1; number <= (options.attempts ?? 0); number += 1) {
      await tx('webhook_attempts').insert({
        workspace_id: workspaceId,
        webhook_delivery_id: id,
        webhook_endpoint_id: rule.webhook_endpoint_id,
        number,
        started_at: at,
        lease_until: at,
        finished_at: at,
        duration_ms: 12,
        status_code: status === 'delivered' ? 200 : 503,
        response_body: 'Sorry',
      });
    }
    return { id, event };
  });
}
