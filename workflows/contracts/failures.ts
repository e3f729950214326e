/** An activity failed five times, the last for a reason that is not transient. Callers list it as non-retryable. */
export const stepFailed = 'step_failed';
