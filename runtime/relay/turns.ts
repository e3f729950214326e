import type { PoolClient } from 'pg';
import { type DueEntry, type Kind, listWorkspacesDue, takeDueEntries } from './outbox-reader.js';

type Connection = Pick<PoolClient, 'query'>;

/** What a relay brings to Temporal together. */
export interface Batch {
  entries: DueEntry[];
  /** Whether there may be more that is due. */
  more: boolean;
}

/** How much of a batch is kept for what somebody waits for, and the rest for webhooks; each takes what the other leaves. */
const awaitedShare = 3 / 4;

/**
 * Composes the relay's batches so that nobody waits for somebody else's backlog: workspaces take turns, and what people
 * wait for goes before webhooks without starving them.
 */
export class Turns {
  /** Whose turn was the last. */
  readonly #last: Record<Kind, number> = { awaited: 0, webhooks: 0 };

  /** Takes due entries, at most `size`; they are locked until the client's transaction ends. */
  async takeBatch(client: Connection, size: number): Promise<Batch> {
    const awaitedSize = Math.ceil(size * awaitedShare);
    const awaited = await this.#take(client, 'awaited', awaitedSize, []);
    const webhooks = await this.#take(client, 'webhooks', size - awaited.entries.length, []);
    const taken = [...awaited.entries, ...webhooks.entries];
    const left = size - taken.length;
    const rest =
      left > 0 && awaited.entries.length === awaitedSize
        ? (await this.#take(client, 'awaited', left, idsOf(taken))).entries
        : [];
    const entries = [...taken, ...rest];
    const cutOff = awaited.more || webhooks.more;
    return { entries, more: entries.length === size || (cutOff && entries.length > 0) };
  }

  /**
   * Goes round the workspaces, each time asking those that gave all they were asked for: what one does not need is shared
   * among the others.
   */
  async #take(client: Connection, kind: Kind, room: number, heldIds: number[]): Promise<Batch> {
    const entries: DueEntry[] = [];
    let next = await listWorkspacesDue(client, kind, this.#last[kind], room);
    const more = next.length === room;
    while (next.length > 0 && entries.length < room) {
      const left = room - entries.length;
      const workspaces = next.slice(0, left);
      const each = Math.floor(left / workspaces.length);
      this.#last[kind] = workspaces.at(-1) ?? this.#last[kind];
      const given = await takeDueEntries(client, kind, {
        workspaces,
        each,
        heldIds: [...heldIds, ...idsOf(entries)],
      });
      entries.push(...given);
      next = [...next.slice(left), ...workspaces.filter((workspace) => gaveAll(given, workspace, each))];
    }
    return { entries, more };
  }
}

function idsOf(entries: readonly DueEntry[]): number[] {
  return entries.map(({ id }) => id);
}

function gaveAll(given: readonly DueEntry[], workspace: number, asked: number): boolean {
  return given.filter(({ workspaceId }) => workspaceId === workspace).length === asked;
}
