/** How long a pass through old data of one workspace goes on; the next pass continues with what is left. */
export interface RetentionSlice {
  isOver(): boolean;
  /** Called after each batch. */
  onBatch(): void;
}

/** The bounds of what a workspace may set, in days. */
export const retentionDays = { least: 7, most: 3_650 } as const;
