/** The bounds on files and folders. */
export const fileLimits = {
  /** The bytes of one uploaded file. */
  fileBytes: 50 * 1_048_576,
  versionsOfFile: 1_000,
  /** While so many versions of a workspace wait to be indexed, none is indexed again. */
  pendingForReindexing: 100,
  linksOfSubject: 100,
  /** Beside the files of messages. */
  filesOfAssignment: 100,
  folders: 10_000,
  /** Levels of folders, the one at the root included. */
  folderLevels: 10,
  /** Files, and folders, that one request moves or deletes with their folder. */
  contentsAtOnce: 1_000,
  /** The uploads of one member that have begun within `uploadWindowMs` and are not stored yet. */
  uploadsOfMember: 10,
  uploadWindowMs: 600_000,
  /** The part of the quota that a member without the permission `files:write` can use up. */
  shareOfMember: 0.1,
  /** The part of the quota that attachments of mails of members can use up. */
  shareOfMail: 0.5,
  /**
   * The parts of the quota for attachments of senders who are not known: anybody can send mail, from any number of
   * addresses. `sharesOfStrangers` says which of them have come within `strangersWindowMs`, and from one domain; beyond
   * `all` of them, none is kept until some are deleted.
   */
  sharesOfStrangers: { all: 0.25, lately: 0.1, ofDomain: 0.05 },
  strangersWindowMs: 30 * 24 * 3_600_000,
  /** Beyond so many within the window, their bytes are not counted: none is kept. */
  filesOfStrangers: 10_000,
  /** Images up to this size are part of the answer. */
  inlineImageBytes: 32 * 1_024,
} as const;
