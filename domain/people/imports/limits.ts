/** The bounds on imports that a run carries out. */
export const importLimits = {
  /** Imports that have not ended. */
  openOfMember: 3,
  openOfWorkspace: 10,
  /** An import that has not ended by then is given up, and its file deleted. */
  maxMs: 24 * 3_600_000,
  /** How long it is known what became of an import. */
  keptMs: 24 * 3_600_000,
  /** Attempts in a row that settle no row. */
  attempts: 5,
} as const;
