import { setTimeout as pause } from 'node:timers/promises';
import { selectCallStates } from '../../../db/calls/call-states.js';
import type { Database } from '../../../db/database.js';
import type { BridgedCallRef } from './bridged-call.js';

/**
 * How long a read waits for those of other calls. Hundreds of calls look every few seconds, and a transaction for each would delay the
 * sound of all of them: it takes the event loop as long as forty frames.
 */
const gatherMs = 100;

/** Reads whether there may be news of calls: those of one workspace together. */
export class CallStates {
  readonly #db: Database;
  readonly #gathering = new Map<number, { callIds: number[]; states: Promise<Map<number, string>> }>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns what changes whenever there may be news of the call; undefined if the call or the chat is gone */
  async read({
    workspaceId,
    callId,
  }: Pick<BridgedCallRef, 'workspaceId' | 'callId'>): Promise<string | undefined> {
    let together = this.#gathering.get(workspaceId);
    if (together === undefined) {
      const callIds: number[] = [];
      together = { callIds, states: this.#gather(workspaceId, callIds) };
      this.#gathering.set(workspaceId, together);
    }
    together.callIds.push(callId);
    return (await together.states).get(callId);
  }

  async #gather(workspaceId: number, callIds: readonly number[]): Promise<Map<number, string>> {
    await pause(gatherMs);
    this.#gathering.delete(workspaceId);
    return this.#db.readInWorkspace(workspaceId, (tx) => selectCallStates(tx, callIds));
  }
}
