import { randomUUID } from 'node:crypto';
import { Database } from '../../../db/database.js';
import { findMember } from '../../../db/people/members.js';
import { writeMembers } from '../../../db/people/write-members.js';
import { prepared } from '../../../db/statement.js';
import type { Tx } from '../../../db/tx.js';
import { memberUpdatedEvent } from '../../../domain/kernel/events/member-events.js';
import { type NewEvent, writeEvents } from '../../../domain/kernel/events/write-events.js';
import { median } from '../../../test/support/lib/statistics.js';
import { addEventRule } from '../../../test/support/webhooks/event-rules.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { durationOf } from '../support/durations.js';

type Writer = (tx: Tx, event: NewEvent, now: Date) => Promise<unknown>;

const service: Writer = (tx, event, now) => writeEvents(tx, [event], now);

/** The time that an event adds to a transaction that writes one row. */
export const eventCost: Figure = {
  name: 'event-cost',
  title: 'What an event adds to a transaction',
  unit: 'ms',
  target: { atMost: 0.3 },
  async prepare(stage, { operations }) {
    return { measured: added(stage, operations * 10, service) };
  },
};

/** The same with a rule that waits for the event, compared with writing the same rows. */
export const matchedEventCost: Figure = {
  name: 'matched-event-cost',
  title: 'The same, where a rule waits for it',
  unit: 'ms',
  target: { ratioAtMost: 1.5 },
  async prepare(stage, { operations }) {
    const rule = await addEventRule(stage.workspace, { eventType: 'member:updated' });
    return {
      floor: added(stage, operations, (tx, event, now) => writeRows(tx, rule.id, event, now)),
      measured: added(stage, operations, service),
    };
  },
};

/** The difference of the medians of `pairs` transactions with the event and as many without, after as many warm ones. */
function added({ workspace, appUrl }: Stage, pairs: number, write: Writer): () => Promise<number> {
  const { workspaceId, admin } = workspace;
  const now = new Date();
  const member = { ...admin.row, memberRoleName: admin.role.name, labels: [], updatedAt: now };
  const event = memberUpdatedEvent(member);
  return async () => {
    const database = new Database({ url: appUrl, poolSize: 1 });
    const timed = (isTold: boolean) =>
      durationOf(() =>
        database.inWorkspace(workspaceId, async (tx) => {
          await findMember(tx, admin.memberId);
          await Promise.all([writeMembers(tx, [member]), isTold && write(tx, event, now)]);
        }),
      );
    const silent: number[] = [];
    const told: number[] = [];
    try {
      // Alternate, so that a temporary slowdown affects both.
      for (let pair = 0; pair < pairs * 2; pair += 1) {
        const [silentMs, toldMs] = [await timed(false), await timed(true)];
        if (pair < pairs) continue;
        silent.push(silentMs);
        told.push(toldMs);
      }
    } finally {
      await database.close();
    }
    return median(told) - median(silent);
  };
}

const rows = `with event as (
    insert into events (workspace_id, uuid, event_type, body, member_id, created_at)
    values (?, ?::uuid, ?, ?, ?, ?) returning id
  ), delivery as (
    insert into webhook_deliveries
      (workspace_id, event_rule_id, event_id, event_type, trigger, next_attempt_at, created_at)
    select ?::bigint, ?::bigint, id, ?, 'event', ?::timestamptz, ?::timestamptz from event returning uuid
  )
  insert into outbox (workspace_id, run_type, subject, action, input)
  select ?::bigint, 'deliverWebhook', uuid, 'start', '{}' from delivery`;

/** The floor: an event, a delivery and an outbox entry, without look-ups. */
function writeRows(tx: Tx, ruleId: number, { eventType, payload }: NewEvent, now: Date): Promise<unknown> {
  const { id } = (payload as { member: { id: number } }).member;
  const { workspaceId } = tx;
  return prepared(tx, rows, [
    workspaceId,
    randomUUID(),
    eventType,
    JSON.stringify(payload),
    id,
    now,
    workspaceId,
    ruleId,
    eventType,
    now,
    now,
    workspaceId,
  ]);
}
