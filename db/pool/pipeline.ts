import pg from 'pg';
import { ConnectionLost, type QueryResult, type Statement } from './executor.js';

/** The methods of the driver's connection that write messages (PostgreSQL's documentation, 54.2.3). */
interface Wire {
  stream: { cork(): void; uncork(): void };
  close(message: { type: 'S'; name: string }): void;
  parse(message: { name: string | undefined; text: string }): void;
  bind(message: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

/** The driver's row parser, which its types omit. */
type RowReader = pg.Result & {
  addFields(fields: pg.FieldDef[]): void;
  parseRow(values: unknown[]): Record<string, unknown>;
};

/** The prepared statements of a connection by name, with the parser of their rows: null for those without rows. */
export type PreparedStatements = Map<string, RowReader | null>;

/**
 * Several statements in one message with one response. PostgreSQL skips the statements after one that failed, and
 * without `BEGIN` they form an implicit transaction (its documentation, 54.2.4). The driver recognizes it by `submit`,
 * like its cursors. The values must already be in the driver's form.
 */
export class Pipeline implements pg.Submittable {
  /**
   * Called once, with the results of the executed statements and the error that stopped the others; also by the driver.
   */
  callback: (error: Error | null, results?: readonly QueryResult[]) => void;
  /** How long the driver waits for the response in milliseconds, where that differs from its default. */
  query_timeout?: number;
  readonly #statements: readonly Statement[];
  readonly #prepared: PreparedStatements;
  readonly #results: QueryResult[] = [];
  #settled = false;
  #reader: RowReader | null = null;
  #rows: Record<string, unknown>[] = [];
  /** The error of a type parser, and the index of the statement whose row it failed on. */
  #unreadable: { error: Error; index: number } | undefined;

  constructor(
    statements: readonly Statement[],
    prepared: PreparedStatements,
    callback: (error: Error | null, results: readonly QueryResult[]) => void,
  ) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.callback = (error, results = []) => {
      if (this.#settled) return;
      this.#settled = true;
      const isKnown =
        error === null || error instanceof pg.DatabaseError || error === this.#unreadable?.error;
      callback(isKnown ? error : new ConnectionLost(error), results);
    };
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    const parsedNow = new Set<string>();
    wire.stream.cork();
    for (const { name, text, values } of this.#statements) {
      const isNew = name === undefined || !(this.#prepared.has(name) || parsedNow.has(name));
      if (isNew) {
        // An earlier attempt may have parsed the statement already. Closing one that does not exist does no harm.
        if (name !== undefined) {
          wire.close({ type: 'S', name });
          parsedNow.add(name);
        }
        wire.parse({ name, text });
      }
      wire.bind({ statement: name, values });
      if (isNew) wire.describe({ type: 'P' });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#reader = new pg.Result('', pg.types) as RowReader;
    this.#reader.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const { name } = this.#current();
    const reader = this.#reader ?? (name === undefined ? null : this.#prepared.get(name));
    try {
      if (reader) this.#rows.push(reader.parseRow(fields));
    } catch (error) {
      this.#unreadable ??= { error: error as Error, index: this.#results.length };
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#current();
    if (name !== undefined && !this.#prepared.has(name)) this.#prepared.set(name, this.#reader);
    const [first, last] = [text.indexOf(' '), text.lastIndexOf(' ')];
    this.#results.push({
      command: first < 0 ? text : text.slice(0, first),
      rowCount: last < 0 ? null : Number(text.slice(last + 1)),
      rows: this.#rows,
    });
    this.#reader = null;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleCopyInResponse(connection: unknown): void {
    (connection as Wire).sendCopyFail('there is nothing to copy');
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    // The plan may be out of date, so the statement is parsed again next time.
    const name = this.#statements[this.#results.length]?.name;
    if (name !== undefined) this.#prepared.delete(name);
    this.callback(error, this.#readable());
  }

  handleReadyForQuery(): void {
    this.callback(this.#unreadable?.error ?? null, this.#readable());
  }

  #readable(): readonly QueryResult[] {
    return this.#results.slice(0, this.#unreadable?.index);
  }

  #current(): Statement {
    const statement = this.#statements[this.#results.length];
    if (statement === undefined) throw new Error('PostgreSQL returned more results than statements');
    return statement;
  }
}
