import type { LiveCall } from './live-call.js';

/** Rings until the handset does what its plan says, or for so long. Returns whether it takes the call; else that has ended. */
export async function ring(live: LiveCall, ringSeconds: number): Promise<boolean> {
  const { outcome = 'answered', sipCode, afterMs } = live.plan;
  const takesMs = afterMs ?? live.exchange.knobs.of(live.handset).paceMs;
  try {
    await live.rest(Math.min(takesMs, ringSeconds * 1_000));
  } catch (error) {
    if (live.over.aborted) return false;
    throw error;
  }
  if (takesMs > ringSeconds * 1_000) live.end('no-answer');
  else if (outcome !== 'answered') live.end(outcome, sipCode);
  return !live.over.aborted;
}
