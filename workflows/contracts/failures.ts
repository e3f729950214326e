/**
 * The type of an activity's failure that trying again does not mend: five attempts failed, the last of them not for a
 * reason that passes. An activity fails so only where its caller's retry policy names it as final.
 */
export const stepFailed = 'step_failed';
