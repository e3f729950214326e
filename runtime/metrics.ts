import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Occurrence } from '../domain/kernel/occurrences.js';
import type { ProviderName } from '../providers/failures.js';
import type { ProviderCondition } from '../providers/provider-state.js';
import {
  countedTo,
  dueAfterSeconds,
  type GaugeObserver,
  overdueAfterSeconds,
  overdueCountedTo,
} from './relay/gauges.js';

export interface RelayMetrics extends GaugeObserver {
  delivered(runType: string, result: 'delivered' | 'closed'): void;
  failed(runType: string, code: string): void;
  /** The outbox was read, and due entries were delivered or rescheduled. */
  looked(): void;
}

/** What one pass of the collector came to. */
export interface CollectionResult {
  objects: number;
  failed: number;
  /** False: the storage could not be used, and everything waits for the next pass. */
  finished: boolean;
}

const conditions: readonly ProviderCondition[] = ['usable', 'busy', 'unusable'];

/** Creates the worker's metrics, served in Prometheus' text format at `/metrics`. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Gauge({ name, help, labelNames, registers });

  const delivered = counter(
    'wes_outbox_delivered_total',
    ['run_type', 'result'],
    'Outbox entries delivered to Temporal; `closed`: the run had already closed.',
  );
  const failed = counter(
    'wes_outbox_failed_total',
    ['run_type', 'code'],
    'Failed attempts to deliver an outbox entry.',
  );
  const entries = gauge(
    'wes_outbox_entries',
    ['kind', 'state'],
    `Outbox entries, waiting or parked after twenty failures: a person has to look at parked ones. bulk: webhooks; woken: pokes of one change to many runs; interactive: all others. Counted up to ${countedTo}.`,
  );
  const personCalls = counter(
    'wes_person_calls_total',
    ['reason'],
    'Chats marked as needing a person (needsResponse), by reason. Those of the api process are only in its log.',
  );
  const happenings: Record<Occurrence['kind'], Counter<'reason'>> = {
    sms_failed: counter(
      'wes_sms_failed_total',
      ['reason'],
      'SMS that failed permanently, by reason; unknown_outcome: it is unknown whether the message was sent.',
    ),
    email_failed: counter(
      'wes_email_failed_total',
      ['reason'],
      'Emails that failed permanently, by reason; unknown_outcome: it is unknown whether the email was sent.',
    ),
    rule_disabled: counter(
      'wes_event_rules_disabled_total',
      ['reason'],
      'Event rules that the service disabled, by reason.',
    ),
    export_failed: counter(
      'wes_person_exports_failed_total',
      ['reason'],
      'Archives of what is stored about a member that were given up, by reason.',
    ),
    import_failed: counter(
      'wes_member_imports_failed_total',
      ['reason'],
      'Imports of members that were given up, by reason.',
    ),
    email_held: counter(
      'wes_emails_held_total',
      ['reason'],
      'Received mails that wait for a person, by reason.',
    ),
    attachment_not_kept: counter(
      'wes_email_attachments_not_kept_total',
      ['reason'],
      'Received mails with attachments for which there was no room, by reason.',
    ),
    call_bill_differs: counter(
      'wes_call_bills_differ_total',
      ['reason'],
      'Ended calls whose bill of the carrier differs from what the service reckons, by reason: duration, cost; no_price: it was not billed within a day; unknown_call: the carrier has no such call.',
    ),
    notice_not_sent: counter(
      'wes_rule_notices_not_sent_total',
      ['reason'],
      'Notices of disabled rules and of waiting chats that were not sent, by reason; nobody_to_tell: none of the recipients has a verified address.',
    ),
  };
  const reconciled = counter(
    'wes_reconciled_total',
    ['outcome'],
    'Runs checked by the reconciler, by outcome; restarted and concluded ones were repaired.',
  );
  const collected = counter(
    'wes_objects_collected_total',
    ['outcome'],
    'Objects of the storage that the collector deleted, or failed to delete: it tries these again in the next pass.',
  );
  const collectedAt = gauge(
    'wes_objects_collected_timestamp_seconds',
    [],
    'When a pass of the collector in this process last ended with the storage usable; NaN before the first.',
  );
  collectedAt.set(Number.NaN);
  const taskShare = gauge(
    'wes_worker_task_share',
    [],
    'The share of tasks, from 0 to 1, that Temporal routes to workers of this version; NaN while unknown.',
  );
  taskShare.set(Number.NaN);
  const condition = gauge(
    'wes_provider_condition',
    ['provider'],
    'State of the account at a provider after the last call: 0 usable, 1 busy, 2 unusable (credential, account or quota).',
  );
  const codesNotSent = counter(
    'wes_login_codes_not_sent_total',
    ['reason'],
    'Login codes that were not sent, by reason: `no_account` for an unknown address, `sms_…limit` for the operator’s cap.',
  );
  const oldest = gauge(
    'wes_outbox_oldest_seconds',
    [],
    'Age of the oldest waiting interactive entry; NaN while the outbox cannot be measured.',
  );
  const oldestTurn = gauge(
    'wes_owed_turn_oldest_seconds',
    [],
    'Age of the oldest owed turn of the agent; NaN while it cannot be measured.',
  );
  const overdueTurns = gauge(
    'wes_overdue_turns',
    [],
    `Turns of the agent owed for longer than ${overdueAfterSeconds} s. Counted up to ${overdueCountedTo}.`,
  );
  const overdueWorkspaces = gauge(
    'wes_overdue_turn_workspaces',
    [],
    'Workspaces with overdue turns. The log names those that have waited longest.',
  );
  const dueDeliveries = gauge(
    'wes_due_deliveries',
    [],
    `Messages to members that are due and not sent for longer than ${dueAfterSeconds} s. Counted up to ${overdueCountedTo}.`,
  );
  const oldestDelivery = gauge(
    'wes_due_delivery_oldest_seconds',
    [],
    `How long the oldest of these messages has been due, 0 without any; NaN while it cannot be measured.`,
  );
  const dueScheduled = gauge(
    'wes_due_scheduled_messages',
    [],
    `Scheduled messages of colleagues that are due and not sent for longer than ${dueAfterSeconds} s. Counted up to ${overdueCountedTo}.`,
  );
  const oldestScheduled = gauge(
    'wes_due_scheduled_message_oldest_seconds',
    [],
    `How long the oldest of these scheduled messages has been due, 0 without any; NaN while it cannot be measured.`,
  );
  const oldestErasure = gauge(
    'wes_open_erasure_oldest_seconds',
    [],
    'Age of the oldest erasure of a member that still has something to erase, 0 without any; NaN while it cannot be measured.',
  );
  const lookedAt = gauge(
    'wes_relay_last_look_timestamp_seconds',
    [],
    'When the relay of this process last finished reading the outbox.',
  );

  const relay: RelayMetrics = {
    delivered: (runType, result) => delivered.inc({ run_type: runType, result }),
    failed: (runType, code) => failed.inc({ run_type: runType, code }),
    observe(standing) {
      oldest.set(standing?.oldestSeconds ?? Number.NaN);
      if (standing === undefined) entries.reset();
      for (const [kind, { waiting, parked }] of Object.entries(standing?.counts ?? {})) {
        entries.set({ kind, state: 'waiting' }, waiting);
        entries.set({ kind, state: 'parked' }, parked);
      }
    },
    observeTurns(owed) {
      oldestTurn.set(owed?.oldestSeconds ?? Number.NaN);
      overdueTurns.set(owed?.turns ?? Number.NaN);
      overdueWorkspaces.set(owed?.workspaces ?? Number.NaN);
    },
    observeDeliveries(due) {
      dueDeliveries.set(due?.deliveries ?? Number.NaN);
      oldestDelivery.set(due?.oldestSeconds ?? Number.NaN);
    },
    observeScheduled(due) {
      dueScheduled.set(due?.messages ?? Number.NaN);
      oldestScheduled.set(due?.oldestSeconds ?? Number.NaN);
    },
    observeErasures: (oldestSeconds) => oldestErasure.set(oldestSeconds ?? Number.NaN),
    looked: () => lookedAt.setToCurrentTime(),
  };
  return {
    registry,
    relay,
    chats: { personCalled: (reason: string) => personCalls.inc({ reason }) },
    domain: { happened: ({ kind, reason }: Occurrence) => happenings[kind].inc({ reason }) },
    loginCodes: { notSent: (reason: string) => codesNotSent.inc({ reason }) },
    providers: {
      observe: (provider: ProviderName, found: ProviderCondition) =>
        condition.set({ provider }, conditions.indexOf(found)),
    },
    workers: {
      reconciled: (outcome: string, count: number) => reconciled.inc({ outcome }, count),
      collected: ({ objects, failed, finished }: CollectionResult) => {
        collected.inc({ outcome: 'deleted' }, objects);
        collected.inc({ outcome: 'failed' }, failed);
        if (finished) collectedAt.setToCurrentTime();
      },
      taskShare: (share: number | undefined) => taskShare.set(share ?? Number.NaN),
    },
  };
}
