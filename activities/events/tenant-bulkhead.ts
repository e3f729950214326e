export interface BulkheadLimits {
  /** Slots that one workspace may hold once `softLimit` is reached. */
  maxPerTenant: number;
  /** Slots in use, in total, before `maxPerTenant` applies. */
  softLimit: number;
}

/**
 * Limits the slots of a worker that each workspace holds. Otherwise a workspace whose receivers all hang would hold all
 * of them. As long as most slots are free, no attempt is held back.
 */
export class TenantBulkhead {
  readonly #limits: BulkheadLimits;
  readonly #held = new Map<number, number>();
  #total = 0;

  constructor(limits: BulkheadLimits) {
    this.#limits = limits;
  }

  /** @returns a function that releases the slot; undefined if the workspace has its share */
  acquire(workspaceId: number): (() => void) | undefined {
    const held = this.#held.get(workspaceId) ?? 0;
    if (held >= this.#limits.maxPerTenant && this.#total >= this.#limits.softLimit) return undefined;
    this.#held.set(workspaceId, held + 1);
    this.#total += 1;
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      this.#total -= 1;
      const left = (this.#held.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.#held.delete(workspaceId);
      else this.#held.set(workspaceId, left);
    };
  }
}
