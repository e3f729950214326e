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
  /**
   * The parts of the quota that attachments of mails can use up, and of them those of senders who were not known: anybody
   * can send mail, from any number of addresses.
   */
  shareOfMail: 0.5,
  shareOfStrangers: 0.1,
  /** Images up to this size are part of the answer. */
  inlineImageBytes: 32 * 1_024,
} as const;
