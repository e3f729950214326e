/** A pass over rows that are due. What is left when its time is over is due in the next one. */
export interface Pass<Row> {
  isOver(): boolean;
  /** Called for a row that fails, which stops no other. */
  onFailure(row: Row, error: unknown): void;
}
