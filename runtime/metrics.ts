import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { EntryCounts } from './relay/outbox-counts.js';

/** What the relay tells about itself. */
export interface RelayMetrics {
  delivered(runType: string, result: 'delivered' | 'closed'): void;
  failed(runType: string, code: string): void;
  observe(counts: Readonly<Record<string, EntryCounts>>): void;
}

/** What the domain tells about chats. */
export interface ChatMetrics {
  personCalled(reason: string): void;
}

/** The worker's metrics, in Prometheus' text format at `/metrics`. */
export function createMetrics(): { registry: Registry; relay: RelayMetrics; chats: ChatMetrics } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const common = { registers: [registry] };
  const delivered = new Counter({
    name: 'wes_outbox_delivered_total',
    help: 'Outbox entries brought to Temporal; `closed`: the run had ended for good.',
    labelNames: ['run_type', 'result'] as const,
    ...common,
  });
  const failed = new Counter({
    name: 'wes_outbox_failed_total',
    help: 'Attempts at an outbox entry that failed.',
    labelNames: ['run_type', 'code'] as const,
    ...common,
  });
  const entries = new Gauge({
    name: 'wes_outbox_entries',
    help: 'Outbox entries waiting, and parked after many tries: parked ones need a person. `webhooks`, or `awaited`: all others.',
    labelNames: ['kind', 'state'] as const,
    ...common,
  });
  const personCalls = new Counter({
    name: 'wes_person_calls_total',
    help: 'Calls of a chat for a person (needsResponse), by reason. Those of the api process are in its log only.',
    labelNames: ['reason'] as const,
    ...common,
  });
  return {
    registry,
    chats: { personCalled: (reason) => personCalls.inc({ reason }) },
    relay: {
      delivered: (runType, result) => delivered.inc({ run_type: runType, result }),
      failed: (runType, code) => failed.inc({ run_type: runType, code }),
      observe(counts) {
        for (const [kind, { waiting, parked }] of Object.entries(counts)) {
          entries.set({ kind, state: 'waiting' }, waiting);
          entries.set({ kind, state: 'parked' }, parked);
        }
      },
    },
  };
}
