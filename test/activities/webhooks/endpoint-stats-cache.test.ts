import { describe, expect, it } from 'vitest';
import { EndpointStatsCache } from '../../../activities/events/endpoint-stats-cache.js';

describe('EndpointStatsCache', () => {
  it('gives rules of one receiver the same key once that is known', () => {
    const receivers = new EndpointStatsCache();
    expect(receivers.get(1)).toEqual({ urlKey: 'rule 1', hostKey: 'rule 1', meanDurationMs: 0 });

    receivers.record(1, { endpointId: 7, hostId: 3, meanDurationMs: 50 });
    receivers.record(2, { endpointId: 7, hostId: 3, meanDurationMs: 60 });

    expect(receivers.get(1).urlKey).toBe('rule 1');
    expect(receivers.get(2)).toEqual({ urlKey: 'rule 1', hostKey: 'host 3', meanDurationMs: 60 });
  });

  it('gives the new receiver of a rule its own key', () => {
    const receivers = new EndpointStatsCache();
    receivers.record(1, { endpointId: 7, hostId: 3, meanDurationMs: 50 });
    receivers.record(2, { endpointId: 7, hostId: 3, meanDurationMs: 50 });

    receivers.record(1, { endpointId: 8, hostId: 3, meanDurationMs: 10 });

    expect(receivers.get(1)).toEqual({ urlKey: 'endpoint 8', hostKey: 'host 3', meanDurationMs: 10 });
    expect(receivers.get(2).urlKey).toBe('rule 1');
  });

  it('evicts the oldest entries when it is full', () => {
    const receivers = new EndpointStatsCache(2);
    for (const id of [1, 2, 3]) receivers.record(id, { endpointId: id, hostId: id, meanDurationMs: 50 });

    expect(receivers.get(1).meanDurationMs).toBe(0);
    expect(receivers.get(2).meanDurationMs).toBe(50);
  });
});
