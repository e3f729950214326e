/** For workspaces whose receivers all hang: once `softLimit` slots are in use, each may hold `maxPerTenant` of them. */
export class TenantBulkhead {
  readonly #limits: { softLimit: number; maxPerTenant: number };
  readonly #held = new Map<number, number>();
  #total = 0;

  constructor(limits: { softLimit: number; maxPerTenant: number }) {
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
