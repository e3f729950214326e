/** A pass over rows that are due, which ends when its time is over: what is left is due in the next one. */
export interface Pass<Row> {
  /** When its time is over, as `Date.now()` tells it. */
  until: number;
  /** Called before each batch. */
  beat(): void;
  /** Called for a row that fails, which stops no other. */
  onFailure(row: Row, error: unknown): void;
}
