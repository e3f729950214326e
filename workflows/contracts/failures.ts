/**
 * Type of an activity's permanent failure: five attempts failed, the last for a reason that is not transient. Used only
 * where the caller's retry policy lists it as non-retryable.
 */
export const stepFailed = 'step_failed';
