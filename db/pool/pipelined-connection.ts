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
  /**
   * `once`: they open a transaction, and no statement is sent outside it. `always`: they precede each batch, which is a
   * transaction of its own.
   */
  sent: 'once' | 'always';
}

interface Asked {
  statement: Statement;
  /** It starts a new batch. */
  first: boolean;
  resolve: (answer: QueryResult) => void;
  reject: (reason: unknown) => void;
}

/**
 * Executes statements on one connection. Statements of one turn of the event loop, and those that arrive while a
 * response is pending, are sent in one message: `Promise.all` costs one round trip.
 */
export class PipelinedConnection implements Executor {
  readonly #client: pg.ClientBase;
  readonly #opening: Preamble;
  readonly #limits: Pick<TransactionLimits, 'answerMs' | 'deadline'> | undefined;
  #waiting: Asked[] = [];
  #busy = false;
  #used = false;
  #begun = false;
  #ended = false;
  #broken = false;
  /** Creates the error with which further statements are rejected. */
  #over: (() => Error) | undefined;

  constructor(
    client: pg.ClientBase,
    opening: Preamble,
    limits?: Pick<TransactionLimits, 'answerMs' | 'deadline'>,
  ) {
    this.#client = client;
    this.#opening = opening;
    this.#limits = limits;
  }

  /** Whether any statement was executed. */
  get used(): boolean {
    return this.#used;
  }

  /** Rejects all further statements. @returns whether the connection is certain to have no open transaction */
  close(): boolean {
    this.#over ??= transactionEnded;
    if (this.#broken) return false;
    return this.#opening.sent === 'always' || !this.#used || this.#ended;
  }

  /** @throws the error of the statement, or of an earlier one in the same batch */
  execute({ text, values, name, first = false }: Statement): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      if (this.#over !== undefined) throw this.#over();
      const statement = {
        text,
        values: values.map(driverValue),
        ...(name === undefined ? {} : { name }),
      };
      this.#used = true;
      this.#waiting.push({ statement, first, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#send());
    });
  }

  #send(): void {
    if (this.#isLate()) this.#over ??= deadlinePassed;
    if (this.#over !== undefined) {
      for (const { reject } of this.#waiting.splice(0)) reject(this.#over());
      return;
    }
    const next = this.#waiting.findIndex(({ first }, index) => first && index > 0);
    const asked = this.#waiting.splice(0, next < 0 ? this.#waiting.length : next);
    const { statements, sent } = this.#opening;
    const opening = sent === 'once' && this.#begun ? [] : statements;
    const together = [...opening, ...asked.map(({ statement }) => statement)];
    const batch = new Pipeline(together, preparedOn(this.#client), (error, answers) => {
      this.#note(error, answers.length >= opening.length);
      // Without `BEGIN`, PostgreSQL commits at the end of the batch: if it fails, no statement of it took effect.
      const kept = error !== null && sent === 'always' ? [] : answers.slice(opening.length);
      settle(asked, error, kept);
      this.#busy = this.#waiting.length > 0;
      if (this.#busy) this.#send();
    });
    if (this.#limits !== undefined) batch.query_timeout = this.#limits.answerMs;
    this.#client.query(batch);
  }

  /** The rollback is sent even after the deadline, because it releases the locks at once. */
  #isLate(): boolean {
    const { deadline } = this.#limits ?? {};
    return deadline !== undefined && Date.now() > deadline && this.#waiting[0]?.first !== true;
  }

  #note(error: Error | null, opened: boolean): void {
    if (error !== null && endsConnection(error)) {
      this.#broken = true;
      // Each further statement, also the rollback, would wait for a response as long as this one did.
      this.#over ??= () => error;
    }
    if (this.#opening.sent === 'always') return;
    this.#begun = opened;
    if (!opened) this.#over = () => error ?? new Error('the transaction did not begin');
    // The connection is idle again: the transaction was committed or rolled back, and a later statement would be
    // outside it.
    if (error !== null || this.#client.getTransactionStatus() !== 'I') return;
    this.#ended = true;
    this.#over ??= transactionEnded;
  }
}

/** The error of statements that are executed after their transaction has ended. */
export function transactionEnded(): Error {
  return new Error('the transaction has ended');
}

function deadlinePassed(): Error {
  return new DeadlinePassed();
}

function settle(asked: readonly Asked[], error: Error | null, answers: readonly QueryResult[]): void {
  for (const [index, { resolve, reject }] of asked.entries()) {
    const answer = answers[index];
    if (answer !== undefined) resolve(answer);
    else reject(error);
  }
}

function endsConnection(error: Error): boolean {
  if (error instanceof ConnectionLost) return true;
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC');
}

const prepared = new WeakMap<pg.ClientBase, PreparedStatements>();

function preparedOn(client: pg.ClientBase): PreparedStatements {
  let statements = prepared.get(client);
  if (statements === undefined) {
    statements = new Map();
    prepared.set(client, statements);
  }
  return statements;
}

/** Converts a value to the form that the driver sends: text, bytes or null. The driver's types omit this function. */
const driverValue = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils
  .prepareValue;
