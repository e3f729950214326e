import { describe, expect, it } from 'vitest';
import { EndpointStatsCache } from '../../../activities/events/endpoint-stats-cache.js';
import { TenantBulkhead } from '../../../activities/events/tenant-bulkhead.js';

describe('TenantBulkhead', () => {
  const times = (count: number, share: TenantBulkhead, workspaceId: number) =>
    Array.from({ length: count }, () => share.acquire(workspaceId)).filter((back) => back !== undefined);

  it('limits a workspace once most of the worker is in use, and only its own part', () => {
    const share = new TenantBulkhead({ maxPerTenant: 2, softLimit: 5 });

    expect(times(9, share, 1)).toHaveLength(5);
    expect(times(9, share, 2)).toHaveLength(2);
    expect(times(9, share, 3)).toHaveLength(2);
  });

  it('accepts a release once', () => {
    const share = new TenantBulkhead({ maxPerTenant: 2, softLimit: 2 });
    const [first] = times(2, share, 1);
    expect(share.acquire(1)).toBeUndefined();

    first?.();
    first?.();

    expect(times(9, share, 1)).toHaveLength(1);
  });
});

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
