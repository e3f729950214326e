export interface BulkheadLimits {
  /** So much one workspace may hold while others need room as well. */
  maxPerTenant: number;
  /** So much may be held in all before that counts. */
  softLimit: number;
}

/**
 * How much of a worker each workspace holds. One whose receivers all hang would else hold all of it; as long as most of
 * it is free, nobody is kept waiting for others who might come.
 */
export class TenantBulkhead {
  readonly #limits: BulkheadLimits;
  readonly #held = new Map<number, number>();
  #total = 0;

  constructor(limits: BulkheadLimits) {
    this.#limits = limits;
  }

  /** @returns how to give it back; undefined when the workspace has its share */
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
