import type { EventRuleRow } from '../../../db/events/event-rules.js';
import type { WebhookRef } from '../../../domain/events/webhook-deliveries/claim-attempt.js';
import { samplePayloads } from '../../../domain/kernel/events/sample-payloads.js';
import { writeEvents } from '../../../domain/kernel/events/write-events.js';
import type { Place } from '../workspace/factories.js';
import { addEventRule, type EventRuleOptions } from './event-rules.js';

export interface StagedDelivery {
  id: number;
  uuid: string;
  event_id: number;
  status: string;
  failure_reason: string | null;
  attempt_count: number;
  last_status_code: number | null;
  next_attempt_at: Date | null;
  completed_at: Date | null;
}

export interface StagedAttempt {
  id: number;
  number: number;
  started_at: Date;
  lease_until: Date;
  finished_at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
  error_code: string | null;
  response_body: string | null;
}

/** A rule of its own, and events that happen for it. */
export interface WebhookStage {
  rule: EventRuleRow;
  /** So many events happen: the deliveries, in their order. */
  happen(count?: number, now?: Date): Promise<StagedDelivery[]>;
  ref(delivery: { id: number }): WebhookRef;
  deliveries(): Promise<StagedDelivery[]>;
  delivery(id: number): Promise<StagedDelivery>;
  attempts(deliveryId: number): Promise<StagedAttempt[]>;
  ruleNow(): Promise<{ enabled: boolean; disabled_reason: string | null; failing_since: Date | null }>;
  changeRule(changes: Record<string, unknown>): Promise<void>;
}

/** The rule is of a type of its own among those of the workspace: `call:summary` unless told. */
export async function stageWebhooks(place: Place, options: EventRuleOptions = {}): Promise<WebhookStage> {
  const eventType = options.eventType ?? 'call:summary';
  const rule = await addEventRule(place, { ...options, eventType });
  const { database, workspaceId } = place;
  const select = <Row>(table: string, where: object) =>
    database.inWorkspace(workspaceId, async (tx) => (await tx(table).where(where).orderBy('id')) as Row[]);
  const one = <Row>([row]: Row[]): Row => {
    if (row === undefined) throw new Error('what was staged is gone');
    return row;
  };
  const deliveries = () => select<StagedDelivery>('webhook_deliveries', { event_rule_id: rule.id });
  return {
    rule,
    async happen(count = 1, now = new Date()) {
      const before = new Set((await deliveries()).map(({ id }) => id));
      const events = Array.from({ length: count }, () => ({ eventType, payload: samplePayloads[eventType] }));
      await database.inWorkspace(workspaceId, (tx) => writeEvents(tx, events as never, now));
      return (await deliveries()).filter(({ id }) => !before.has(id));
    },
    ref: ({ id }) => ({ workspaceId, deliveryId: id, ruleId: rule.id }),
    deliveries,
    delivery: async (id) => one(await select<StagedDelivery>('webhook_deliveries', { id })),
    attempts: (id) => select<StagedAttempt>('webhook_attempts', { webhook_delivery_id: id }),
    ruleNow: async () => one(await select('event_rules', { id: rule.id })),
    async changeRule(changes) {
      await database.inWorkspace(workspaceId, (tx) =>
        tx('event_rules').where({ id: rule.id }).update(changes),
      );
    },
  };
}
