export const messageLimits = {
  /** The files of one message. A carrier sends as many at most. */
  files: 10,
} as const;

/** Why media of a message could not be fetched. docs/files.md explains each. */
export const mediaFailures = [
  'gone',
  'too_large',
  'refused',
  'empty',
  'storage_full',
  'emails_full',
  'unknown_senders_full',
  'too_many',
  'unavailable',
] as const;
export type MediaFailure = (typeof mediaFailures)[number];

/** The bounds on media that a carrier has announced. */
export const mediaLimits = {
  /** The bytes of one of them: more than carriers take. */
  bytes: 16 * 1_048_576,
  /** For one of them, from the request to its last byte. */
  fetchMs: 60_000,
  /** How long the carrier may not have them yet. */
  missingMs: 3_600_000,
  /** How long they are tried while the carrier or the storage cannot be used. */
  insistMs: 7 * 24 * 3_600_000,
} as const;
