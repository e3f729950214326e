import { describe, expect, it } from 'vitest';
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
