/**
 * What to append to the address of a carrier's webhook so that the carrier repeats a request that failed or was answered
 * by an error, five times within 15 seconds, as its documentation of connection overrides says. Without it, only a failed
 * connection is tried a second time.
 */
export const connectionOverrides = '#rc=5&rp=all';
