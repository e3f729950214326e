import type { PoolClient } from 'pg';
import { type DueEntry, type Kind, listWorkspacesDue, takeDueEntries } from './outbox-reader.js';

type Connection = Pick<PoolClient, 'query'>;

/** The share of a batch for `awaited` entries; webhooks get the rest. Each kind may use what the other leaves. */
const awaitedShare = 3 / 4;

/**
 * Selects the relay's batches so that one workspace's backlog does not delay another: workspaces take turns, and
 * entries that people wait for go before webhooks without starving them.
 */
export class FairBatchSelector {
  /** The workspace that had the last turn. */
  readonly #last: Record<Kind, number> = { awaited: 0, webhooks: 0 };

  /** Takes up to `size` due entries; they stay locked until the client's transaction ends. */
  async takeBatch(client: Connection, size: number): Promise<DueEntry[]> {
    const awaitedSize = Math.ceil(size * awaitedShare);
    const awaited = await this.#take(client, 'awaited', awaitedSize, []);
    const webhooks = await this.#take(client, 'webhooks', size - awaited.length, []);
    const taken = [...awaited, ...webhooks];
    if (taken.length === size || awaited.length < awaitedSize) return taken;
    return [...taken, ...(await this.#take(client, 'awaited', size - taken.length, idsOf(taken)))];
  }

  /**
   * Takes entries of each workspace in turn, then again of those that filled their share: room that one workspace does
   * not need is shared among the others. Entries locked by other relays do not reduce the batch.
   */
  async #take(client: Connection, kind: Kind, room: number, heldIds: number[]): Promise<DueEntry[]> {
    const entries: DueEntry[] = [];
    const asked = new Set<number>();
    let next: number[] = [];
    let unasked = true;
    while (entries.length < room) {
      const left = room - entries.length;
      if (unasked) {
        const due = await listWorkspacesDue(client, kind, this.#last[kind], left);
        const fresh = due.filter((workspace) => !asked.has(workspace));
        unasked = fresh.length === left;
        next = [...fresh, ...next];
      }
      const turn = next.slice(0, left);
      const last = turn.at(-1);
      if (last === undefined) break;
      this.#last[kind] = last;
      const each = Math.floor(left / turn.length);
      const held = [...heldIds, ...idsOf(entries)];
      const given = await takeDueEntries(client, kind, { workspaces: turn, each, heldIds: held });
      entries.push(...given);
      for (const workspace of turn) asked.add(workspace);
      next = [...next.slice(left), ...turn.filter((workspace) => mayHaveMore(given, workspace, each))];
    }
    return entries;
  }
}

function idsOf(entries: readonly DueEntry[]): number[] {
  return entries.map(({ id }) => id);
}

function mayHaveMore(given: readonly DueEntry[], workspace: number, asked: number): boolean {
  return given.filter(({ workspaceId }) => workspaceId === workspace).length === asked;
}
