import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ProviderName } from '../providers/failures.js';
import type { ProviderCondition } from '../providers/provider-state.js';

const conditions: readonly ProviderCondition[] = ['usable', 'busy', 'unusable'];

/** Creates the metrics of the media process, served in Prometheus' text format at `/metrics`. */
export function createMediaMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter({ name, help, labelNames, registers });

  const refused = counter(
    'wes_streams_refused_total',
    ['reason'],
    'Streams of the carrier that did not begin, by reason.',
  );
  const ended = counter('wes_bridges_ended_total', ['reason'], 'Streams that were held, by why they ended.');
  const failures = counter(
    'wes_media_failures_total',
    [],
    'Errors in serving calls, each of which the log has: a lease that was not renewed, a stream that failed.',
  );
  const segments = counter(
    'wes_recording_segments_total',
    ['outcome'],
    'Segments of recordings that were stored, or lost after ten minutes of attempts.',
  );
  const condition = new Gauge({
    name: 'wes_provider_condition',
    help: 'State of the account at a provider after the last call: 0 usable, 1 busy, 2 unusable (credential, account or quota).',
    labelNames: ['provider'],
    registers,
  });
  return {
    registry,
    observeProvider: (provider: ProviderName, found: ProviderCondition) =>
      condition.set({ provider }, conditions.indexOf(found)),
    refused: (reason: string) => refused.inc({ reason }),
    ended: (reason: string) => ended.inc({ reason }),
    failed: () => failures.inc(),
    segment: (outcome: 'stored' | 'lost') => segments.inc({ outcome }),
    /** What is counted when the metrics are read. */
    observe(current: { calls(): number; segments(): number }): void {
      new Gauge({
        name: 'wes_held_calls',
        help: 'Calls whose streams this process holds.',
        registers,
        collect() {
          this.set(current.calls());
        },
      });
      new Gauge({
        name: 'wes_recording_segments_waiting',
        help: 'Segments of recordings that are not stored yet.',
        registers,
        collect() {
          this.set(current.segments());
        },
      });
    },
  };
}
