import pg from 'pg';
import type { TransactionLimits } from './connection-source.js';
import {
  ConnectionLost,
  DeadlinePassed,
  type Executor,
  type QueryResult,
  type Statement,
} from './executor.js';
import { Pipeline, type PreparedStatements } from './pipeline.js';

/** The statements that precede those of the caller: BEGIN, the tenant setting and limits. */
export interface Preamble {
  statements: readonly Statement[];
  /** `once`: they open a transaction. `always`: they precede each batch, which is a transaction of its own. */
  sent: 'once' | 'always';
}

type ResponseLimits = Pick<TransactionLimits, 'answerMs' | 'deadline'>;

interface PendingStatement {
  statement: Statement;
  /** It starts a new batch. */
  first: boolean;
  resolve: (result: QueryResult) => void;
  reject: (reason: unknown) => void;
}

/**
 * Executes statements on one connection. Statements of one turn of the event loop, and those that arrive while a
 * response is pending, are sent in one message: `Promise.all` costs one round trip.
 */
export class PipelinedConnection implements Executor {
  readonly #client: pg.ClientBase;
  readonly #preamble: Preamble;
  readonly #limits: ResponseLimits | undefined;
  #queue: PendingStatement[] = [];
  #busy = false;
  #used = false;
  #begun = false;
  #ended = false;
  #broken = false;
  #entered: readonly QueryResult[] = [];
  /** Creates the error with which further statements are rejected. */
  #rejection: (() => Error) | undefined;

  constructor(client: pg.ClientBase, preamble: Preamble, limits?: ResponseLimits) {
    this.#client = client;
    this.#preamble = preamble;
    this.#limits = limits;
  }

  get used(): boolean {
    return this.#used;
  }

  /** What the preamble was answered, in order; empty before. */
  get entered(): readonly QueryResult[] {
    return this.#entered;
  }

  /** Rejects all further statements. @returns whether the connection is certain to have no open transaction */
  close(): boolean {
    this.#rejection ??= transactionEnded;
    if (this.#broken) return false;
    return this.#preamble.sent === 'always' || !this.#used || this.#ended;
  }

  /** @throws the error of the statement, or of an earlier one in the same batch */
  execute({ text, values, name, first = false }: Statement): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      if (this.#rejection !== undefined) throw this.#rejection();
      const statement = { text, values: values.map(driverValue), ...(name === undefined ? {} : { name }) };
      this.#used = true;
      this.#queue.push({ statement, first, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#send());
    });
  }

  #send(): void {
    if (this.#isLate()) this.#rejection ??= () => new DeadlinePassed();
    if (this.#rejection !== undefined) {
      for (const { reject } of this.#queue.splice(0)) reject(this.#rejection());
      return;
    }
    const next = this.#queue.findIndex(({ first }, index) => first && index > 0);
    const pending = this.#queue.splice(0, next < 0 ? this.#queue.length : next);
    const { statements, sent } = this.#preamble;
    const preamble = sent === 'once' && this.#begun ? [] : statements;
    const together = [...preamble, ...pending.map(({ statement }) => statement)];
    const batch = new Pipeline(together, preparedOn(this.#client), (error, results) => {
      this.#handleEnd(error, results.length >= preamble.length);
      if (preamble.length > 0) this.#entered = results.slice(0, preamble.length);
      // Without `BEGIN`, PostgreSQL commits at the end of the batch: if it fails, no statement of it took effect.
      const kept = error !== null && sent === 'always' ? [] : results.slice(preamble.length);
      settle(pending, error, kept);
      this.#busy = this.#queue.length > 0;
      if (this.#busy) this.#send();
    });
    if (this.#limits !== undefined) batch.query_timeout = this.#limits.answerMs;
    this.#client.query(batch);
  }

  /** The rollback is sent even after the deadline, because it releases the locks at once. */
  #isLate(): boolean {
    const { deadline } = this.#limits ?? {};
    return deadline !== undefined && Date.now() > deadline && this.#queue[0]?.first !== true;
  }

  #handleEnd(error: Error | null, begun: boolean): void {
    if (error !== null && endsConnection(error)) {
      this.#broken = true;
      // Each further statement, also the rollback, would wait for a response as long as this one did.
      this.#rejection ??= () => error;
    }
    if (this.#preamble.sent === 'always') return;
    this.#begun = begun;
    if (!begun) this.#rejection = () => error ?? new Error('the transaction did not begin');
    // An idle connection has committed or rolled back: a later statement would be outside the transaction.
    if (error !== null || this.#client.getTransactionStatus() !== 'I') return;
    this.#ended = true;
    this.#rejection ??= transactionEnded;
  }
}

export function transactionEnded(): Error {
  return new Error('the transaction has ended');
}

function settle(
  pending: readonly PendingStatement[],
  error: Error | null,
  results: readonly QueryResult[],
): void {
  for (const [index, { resolve, reject }] of pending.entries()) {
    const result = results[index];
    if (result !== undefined) resolve(result);
    else reject(error);
  }
}

function endsConnection(error: Error): boolean {
  if (error instanceof ConnectionLost) return true;
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC');
}

const prepared = new WeakMap<pg.ClientBase, PreparedStatements>();

function preparedOn(client: pg.ClientBase): PreparedStatements {
  const statements: PreparedStatements = prepared.get(client) ?? new Map();
  prepared.set(client, statements);
  return statements;
}

/** Converts a value to the form that the driver sends: text, bytes or null. The driver's types omit this function. */
const driverValue = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils
  .prepareValue;
