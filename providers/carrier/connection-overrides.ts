/**
 * Suffix for the URLs of the carrier's webhooks: according to its documentation of connection overrides, the carrier
 * then repeats a request that failed or was answered with an error, five times within 15 seconds. Without it, the
 * carrier retries failed connections only, and only once.
 */
export const connectionOverrides = '#rc=5&rp=all';
