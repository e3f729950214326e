import {
  type BridgeCommand,
  findLatestBridge,
  lockCallBridge,
  patchCallBridge,
} from '../../../db/calls/call-bridges.js';
import type { Tx } from '../../../db/tx.js';
import { leaseMs } from '../call-times.js';

/** How long a process has to acknowledge a command before the run asks the carrier itself. */
export const acknowledgeWithinMs = 2_000;

/** What has become of a command: `unheard` while its time runs, `lost` where no process does it. */
export type CommandFate = 'unheard' | 'acknowledged' | 'lost';

/**
 * Tells the process that holds a call what to do with it; the first command of a bridge stays. The caller has locked the
 * call, and notifies the process after the commit (`db/calls/bridge-notices.ts`). May be repeated.
 * @returns the process; undefined if none holds the call
 */
export async function commandBridge(
  tx: Tx,
  callId: number,
  command: BridgeCommand,
  now: Date,
): Promise<{ processId: string; fate: CommandFate } | undefined> {
  const latest = await findLatestBridge(tx, callId);
  const bridge = latest && (await lockCallBridge(tx, callId, latest.attempt));
  if (bridge === undefined || bridge.processId === null || bridge.endedAt !== null) return undefined;
  const { processId } = bridge;
  const {
    command: told,
    commandAt,
    acknowledgedAt,
  } = bridge.command === null ? await patchCallBridge(tx, bridge.id, { command, commandAt: now }) : bridge;
  if (told === command && acknowledgedAt !== null) return { processId, fate: 'acknowledged' };
  const isLate = now.getTime() - (commandAt ?? now).getTime() >= acknowledgeWithinMs;
  const isAway = now.getTime() - (bridge.heartbeatAt ?? now).getTime() > leaseMs;
  return { processId, fate: told !== command || isLate || isAway ? 'lost' : 'unheard' };
}
