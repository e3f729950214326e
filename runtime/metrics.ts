import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Occurrence } from '../domain/kernel/occurrences.js';
import type { ProviderName } from '../providers/failures.js';
import type { ProviderCondition } from '../providers/provider-state.js';
import {
  countedTo,
  type OutboxCounts,
  type OwedTurns,
  overdueAfterSeconds,
  overdueCountedTo,
} from './relay/gauges.js';
import type { ShareMetrics } from './worker/version-watch.js';
import type { RepairMetrics } from './worker/workers.js';

/** The relay's metrics. */
export interface RelayMetrics {
  delivered(runType: string, result: 'delivered' | 'closed'): void;
  failed(runType: string, code: string): void;
  /** Undefined: it cannot be measured. */
  observe(standing: OutboxCounts | undefined): void;
  /** Undefined: they cannot be measured. */
  observeTurns(owed: OwedTurns | undefined): void;
  /** The outbox was read, and due entries were delivered or rescheduled. */
  looked(): void;
}

/** The domain's metrics about chats. */
export interface ChatMetrics {
  personCalled(reason: string): void;
}

/** The domain's other metrics. */
export interface DomainMetrics {
  happened(happening: Occurrence): void;
}

/** The Temporal workers' metrics. */
export type WorkerMetrics = RepairMetrics & ShareMetrics;

const conditions: readonly ProviderCondition[] = ['usable', 'busy', 'unusable'];

/** Metrics of the providers' accounts. */
export interface ProviderMetrics {
  observe(provider: ProviderName, condition: ProviderCondition): void;
}

/** The activities' metrics about login codes. */
export interface LoginCodeMetrics {
  notSent(reason: string): void;
}

/** Creates the worker's metrics, served in Prometheus' text format at `/metrics`. */
export function createMetrics(): {
  registry: Registry;
  relay: RelayMetrics;
  chats: ChatMetrics;
  domain: DomainMetrics;
  workers: WorkerMetrics;
  loginCodes: LoginCodeMetrics;
  providers: ProviderMetrics;
} {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const common = { registers: [registry] };
  const delivered = new Counter({
    name: 'wes_outbox_delivered_total',
    help: 'Outbox entries delivered to Temporal; `closed`: the run had already closed.',
    labelNames: ['run_type', 'result'] as const,
    ...common,
  });
  const failed = new Counter({
    name: 'wes_outbox_failed_total',
    help: 'Failed attempts to deliver an outbox entry.',
    labelNames: ['run_type', 'code'] as const,
    ...common,
  });
  const entries = new Gauge({
    name: 'wes_outbox_entries',
    help: `Outbox entries, waiting or parked after twenty failures: a person has to look at parked ones. bulk: webhooks; interactive: all others. Counted up to ${countedTo}.`,
    labelNames: ['kind', 'state'] as const,
    ...common,
  });
  const personCalls = new Counter({
    name: 'wes_person_calls_total',
    help: 'Chats marked as needing a person (needsResponse), by reason. Those of the api process are only in its log.',
    labelNames: ['reason'] as const,
    ...common,
  });
  const smsFailed = new Counter({
    name: 'wes_sms_failed_total',
    help: 'SMS that failed permanently, by reason; unknown_outcome: it is unknown whether the message was sent.',
    labelNames: ['reason'] as const,
    ...common,
  });
  const rulesDisabled = new Counter({
    name: 'wes_event_rules_disabled_total',
    help: 'Event rules that the service disabled, by reason.',
    labelNames: ['reason'] as const,
    ...common,
  });
  const noticesNotSent = new Counter({
    name: 'wes_rule_notices_not_sent_total',
    help: 'Notices of disabled rules that were not sent, by reason; nobody_to_tell: no admin has a verified address.',
    labelNames: ['reason'] as const,
    ...common,
  });
  const happenings: Record<Occurrence['kind'], Counter<'reason'>> = {
    sms_failed: smsFailed,
    rule_disabled: rulesDisabled,
    notice_not_sent: noticesNotSent,
  };
  const reconciled = new Counter({
    name: 'wes_reconciled_total',
    help: 'Runs checked by the reconciler, by outcome; restarted and concluded ones were repaired.',
    labelNames: ['outcome'] as const,
    ...common,
  });
  const taskShare = new Gauge({
    name: 'wes_worker_task_share',
    help: 'The share of tasks, from 0 to 1, that Temporal routes to workers of this version; NaN while unknown.',
    ...common,
  });
  taskShare.set(Number.NaN);
  const condition = new Gauge({
    name: 'wes_provider_condition',
    help: 'State of the account at a provider after the last call: 0 usable, 1 busy, 2 unusable (credential, account or quota).',
    labelNames: ['provider'] as const,
    ...common,
  });
  const codesNotSent = new Counter({
    name: 'wes_login_codes_not_sent_total',
    help: 'Login codes that were not sent, by reason: `no_account` for an unknown address, `sms_…limit` for the operator’s cap.',
    labelNames: ['reason'] as const,
    ...common,
  });
  const oldest = new Gauge({
    name: 'wes_outbox_oldest_seconds',
    help: 'Age of the oldest waiting interactive entry; NaN while the outbox cannot be measured.',
    ...common,
  });
  const oldestTurn = new Gauge({
    name: 'wes_owed_turn_oldest_seconds',
    help: 'Age of the oldest owed turn of the agent; NaN while it cannot be measured.',
    ...common,
  });
  const overdueTurns = new Gauge({
    name: 'wes_overdue_turns',
    help: `Turns of the agent owed for longer than ${overdueAfterSeconds} s. Counted up to ${overdueCountedTo}.`,
    ...common,
  });
  const overdueWorkspaces = new Gauge({
    name: 'wes_overdue_turn_workspaces',
    help: 'Workspaces with overdue turns. The log names those that have waited longest.',
    ...common,
  });
  const lookedAt = new Gauge({
    name: 'wes_relay_last_look_timestamp_seconds',
    help: 'When the relay of this process last finished reading the outbox.',
    ...common,
  });
  return {
    registry,
    providers: {
      observe: (provider, found) => condition.set({ provider }, conditions.indexOf(found)),
    },
    domain: {
      happened({ kind, reason }) {
        happenings[kind].inc({ reason });
      },
    },
    workers: {
      reconciled: (outcome, count) => reconciled.inc({ outcome }, count),
      taskShare: (share) => taskShare.set(share ?? Number.NaN),
    },
    chats: { personCalled: (reason) => personCalls.inc({ reason }) },
    loginCodes: { notSent: (reason) => codesNotSent.inc({ reason }) },
    relay: {
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
      looked: () => lookedAt.setToCurrentTime(),
    },
  };
}
