import { type Connection, type DueEntry, type Kind, listWorkspacesDue, takeDueEntries } from './outbox.js';

/** The share of a batch for `interactive` entries; `bulk` ones get the rest, `woken` ones have their own batches. Each may use what the other leaves. */
const interactiveShare = 3 / 4;

/** Selects the relay's batches: workspaces take turns, and what people wait for goes before webhooks. */
export class FairBatchSelector {
  readonly #last: Record<Kind, number> = { interactive: 0, woken: 0, bulk: 0 };

  /** Takes up to `size` due entries; they stay locked until the client's transaction ends. */
  async takeBatch(client: Connection, size: number): Promise<DueEntry[]> {
    const interactiveSize = Math.ceil(size * interactiveShare);
    const interactive = await this.#take(client, 'interactive', interactiveSize, []);
    const bulk = await this.#take(client, 'bulk', size - interactive.length, []);
    const taken = [...interactive, ...bulk];
    if (taken.length === size || interactive.length < interactiveSize) return taken;
    return [...taken, ...(await this.#take(client, 'interactive', size - taken.length, idsOf(taken)))];
  }

  /** Takes up to `size` due entries of runs that were woken in a crowd. */
  takeWoken(client: Connection, size: number): Promise<DueEntry[]> {
    return this.#take(client, 'woken', size, []);
  }

  /**
   * Takes entries of each workspace in turn, then again of those that filled their share: room that one workspace does
   * not need is shared among the others. Entries locked by other relays do not reduce the batch.
   */
  async #take(client: Connection, kind: Kind, room: number, heldIds: number[]): Promise<DueEntry[]> {
    const entries: DueEntry[] = [];
    const served = new Set<number>();
    let next: number[] = [];
    let hasMore = true;
    while (entries.length < room) {
      const left = room - entries.length;
      if (hasMore) {
        const due = await listWorkspacesDue(client, kind, this.#last[kind], left);
        const fresh = due.filter((workspace) => !served.has(workspace));
        hasMore = fresh.length === left;
        next = [...fresh, ...next];
      }
      const turn = next.slice(0, left);
      const last = turn.at(-1);
      if (last === undefined) break;
      this.#last[kind] = last;
      const each = Math.floor(left / turn.length);
      const held = [...heldIds, ...idsOf(entries)];
      const taken = await takeDueEntries(client, kind, { workspaces: turn, each, heldIds: held });
      entries.push(...taken);
      for (const workspace of turn) served.add(workspace);
      next = [...next.slice(left), ...turn.filter((workspace) => mayHaveMore(taken, workspace, each))];
    }
    return entries;
  }
}

function idsOf(entries: readonly DueEntry[]): number[] {
  return entries.map(({ id }) => id);
}

function mayHaveMore(taken: readonly DueEntry[], workspace: number, limit: number): boolean {
  return taken.filter(({ workspaceId }) => workspaceId === workspace).length === limit;
}
