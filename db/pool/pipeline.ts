import pg from 'pg';
import { ConnectionLost, type QueryResult, type Statement } from './executor.js';

/** The part of the driver's connection that messages are written to (PostgreSQL's documentation, 54.2.3). */
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

type RowFields = pg.FieldDef[];

/** The driver's reader of rows, which its types leave out. */
type RowReader = pg.Result & {
  addFields(fields: RowFields): void;
  parseRow(values: unknown[]): Record<string, unknown>;
};

/** The prepared statements of a connection, by name, with what reads their rows: null for those without any. */
export type PreparedStatements = Map<string, RowReader | null>;

/**
 * Several statements as one message with one answer. PostgreSQL takes them as one: what comes after a statement that
 * failed is passed over, and without `BEGIN` they are a transaction of their own (its documentation, 54.2.4).
 *
 * The driver knows it by `submit`, like its cursors. Values have to be in the driver's form by then.
 */
export class Pipeline implements pg.Submittable {
  /** Told once: the answers of the statements that were carried out, and why not all were. The driver calls it too. */
  callback: (error: Error | null, answers?: readonly QueryResult[]) => void;
  /** How long the driver waits for the answer, where that differs from its usual patience. */
  query_timeout?: number;
  readonly #statements: readonly Statement[];
  readonly #prepared: PreparedStatements;
  readonly #answers: QueryResult[] = [];
  #told = false;
  #reader: RowReader | null = null;
  #rows: Record<string, unknown>[] = [];
  /** A value that a type's parser refused, and the statement whose answer had it. */
  #unreadable: { error: Error; index: number } | undefined;

  constructor(
    statements: readonly Statement[],
    prepared: PreparedStatements,
    callback: (error: Error | null, answers: readonly QueryResult[]) => void,
  ) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.callback = (error, answers = []) => {
      if (this.#told) return;
      this.#told = true;
      const isTold = error === null || error instanceof pg.DatabaseError || error === this.#unreadable?.error;
      callback(isTold ? error : new ConnectionLost(error), answers);
    };
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    const parsedNow = new Set<string>();
    wire.stream.cork();
    for (const { name, text, values } of this.#statements) {
      const isNew = name === undefined || !(this.#prepared.has(name) || parsedNow.has(name));
      if (isNew) {
        // An earlier attempt may have got as far as parsing it; closing what is not there does no harm.
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

  handleRowDescription({ fields }: { fields: RowFields }): void {
    this.#reader = new pg.Result('', pg.types) as RowReader;
    this.#reader.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const { name } = this.#current();
    const reader = this.#reader ?? (name === undefined ? null : this.#prepared.get(name));
    try {
      if (reader) this.#rows.push(reader.parseRow(fields));
    } catch (error) {
      this.#unreadable ??= { error: error as Error, index: this.#answers.length };
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#current();
    if (name !== undefined && !this.#prepared.has(name)) this.#prepared.set(name, this.#reader);
    const [first, last] = [text.indexOf(' '), text.lastIndexOf(' ')];
    this.#answers.push({
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
    // Its plan may be out of date. It is parsed anew the next time.
    const name = this.#statements[this.#answers.length]?.name;
    if (name !== undefined) this.#prepared.delete(name);
    this.callback(error, this.#readable());
  }

  handleReadyForQuery(): void {
    this.callback(this.#unreadable?.error ?? null, this.#readable());
  }

  #readable(): readonly QueryResult[] {
    return this.#answers.slice(0, this.#unreadable?.index);
  }

  #current(): Statement {
    const statement = this.#statements[this.#answers.length];
    if (statement === undefined) throw new Error('PostgreSQL answered more than it was asked');
    return statement;
  }
}
