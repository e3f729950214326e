import { cancellationSignal } from '@temporalio/activity';

/** How long an activity of a long job goes on, so that others get the slot; its workflow calls it again. */
export const sliceMs = 15_000;

/** Begins a slice of a job. @returns whether it is over, or the worker stops */
export function beginSlice(ms = sliceMs): () => boolean {
  const endsAt = performance.now() + ms;
  const signal = cancellationSignal();
  return () => performance.now() >= endsAt || signal.aborted;
}
