/** An activity failed five times, the last for a reason that is not transient. Callers list it as non-retryable. */
export const stepFailed = 'step_failed';

/** Why a run stands in which this step fails each time, and a colleague is alerted to its chat. */
export function standstillReasonOf(step: string): 'delivery_stuck' | 'step_failed' {
  return step === 'deliverNext' ? 'delivery_stuck' : 'step_failed';
}
