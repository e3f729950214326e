import type { CallBridgeRow } from '../../../db/calls/call-bridges.js';
import { leaseMs } from '../call-times.js';

/** Whether a process holds the stream of the bridge, as far as its lease says. */
export function isHeld(bridge: CallBridgeRow | undefined, now: Date): boolean {
  if (bridge === undefined || bridge.beganAt === null || bridge.endedAt !== null) return false;
  return now.getTime() - (bridge.heartbeatAt ?? bridge.beganAt).getTime() <= leaseMs;
}
