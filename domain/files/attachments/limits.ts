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
  'unavailable',
] as const;
export type MediaFailure = (typeof mediaFailures)[number];
