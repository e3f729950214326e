import { activityInfo, heartbeat } from '@temporalio/activity';

/** Sends heartbeats during a slow external call, so that a cancelled activity or a dead worker is noticed. */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const every = (activityInfo().heartbeatTimeoutMs ?? 8_000) / 4;
  const timer = setInterval(() => heartbeat(), every);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
