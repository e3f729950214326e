/** The bounds on archives of a person's data. */
export const exportLimits = {
  /** Exports of a workspace that are not finished. */
  openOfWorkspace: 10,
  /** Exports of one member within a day. */
  ofMemberInDay: 5,
  dayMs: 24 * 3_600_000,
  /** Storages take an object in one piece up to 5 GiB. */
  archiveBytes: 5_000_000_000,
  /** A file of an archive without the extension of the format for large ones, which some programs cannot read. */
  entryBytes: 4_000_000_000,
  /** Files whose bytes are in an archive: each takes memory until its end. */
  files: 20_000,
  /** After so many attempts that failed for no outside reason, an export is given up. */
  attempts: 5,
} as const;
