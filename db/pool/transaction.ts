import type { ConnectionSource, TransactionLimits } from './connection-source.js';
import type { Executor, QueryResult, Statement } from './executor.js';
import { PipelinedConnection, type Preamble, transactionEnded } from './pipelined-connection.js';

/** A transaction, or a savepoint in one, as long as it is open. */
export class Transaction implements Executor {
  /** Null: it sees no rows of any workspace. */
  readonly workspaceId: number | null;
  readonly #within: Executor;
  /** How many savepoints it is in. */
  readonly #depth: number;
  #open = true;
  #used = false;
  #lastSavepoint: Promise<unknown> = Promise.resolve();
  #savepoints = 0;

  constructor(within: Executor, workspaceId: number | null, depth = 0) {
    this.#within = within;
    this.#depth = depth;
    this.workspaceId = workspaceId;
  }

  /** Whoever is late is refused: the connection may be somebody else's by then. */
  async execute(statement: Statement): Promise<QueryResult> {
    if (!this.#open) throw transactionEnded();
    this.#used = true;
    return this.#within.execute(statement);
  }

  /** Whether anything was asked. */
  get used(): boolean {
    return this.#used;
  }

  /** Nothing more is asked. */
  end(): void {
    this.#open = false;
  }

  /** Runs `work` in a savepoint in that workspace; several go one after the other. */
  async nested<T>(workspaceId: number | null, work: (savepoint: Transaction) => Promise<T>): Promise<T> {
    const run = this.#lastSavepoint.then(() => this.#runNested(workspaceId, work));
    this.#lastSavepoint = run.catch(() => {});
    return run;
  }

  async #runNested<T>(workspaceId: number | null, work: (savepoint: Transaction) => Promise<T>): Promise<T> {
    this.#savepoints += 1;
    const name = `inner_${this.#depth}_${this.#savepoints}`;
    const savepoint = new Transaction(this, workspaceId, this.#depth + 1);
    const begun = this.#askAll({ text: `savepoint ${name}`, values: [] }, settingOf(workspaceId));
    try {
      const value = await work(savepoint);
      await begun;
      savepoint.end();
      await this.#askAll({ text: `release savepoint ${name}`, values: [] }, settingOf(this.workspaceId));
      return value;
    } catch (error) {
      savepoint.end();
      // Gives the setting back as well. Where that fails, so does the transaction, at its commit at the latest.
      await this.execute({ text: `rollback to savepoint ${name}`, values: [], first: true }).catch(() => {});
      throw error;
    }
  }

  #askAll(...statements: Statement[]): Promise<unknown> {
    const asked = Promise.all(statements.map((statement) => this.execute(statement)));
    // It is awaited later; by then it may have failed for a while.
    asked.catch(() => {});
    return asked;
  }
}

/**
 * Runs `work` in a transaction on a connection of its own. It begins with its first statement, in the same message:
 * where that fails, nothing is carried out. Committed when `work` resolves, rolled back when it throws. A connection
 * of which it is not certain that the transaction on it is over is ended.
 *
 * @returns with what `work` returned, which chats were changed: the triggers of migration 0009 note them
 */
export async function runTransaction<T>(
  source: ConnectionSource,
  workspaceId: number | null,
  work: (transaction: Transaction) => Promise<T>,
): Promise<{ value: T; changedChats: number[] }> {
  return withConnection(
    source,
    workspaceId,
    { sent: 'once', statements: [begin, settingOf(workspaceId)] },
    async (asking) => {
      const transaction = new Transaction(asking, workspaceId);
      try {
        const value = await work(transaction);
        transaction.end();
        return { value, changedChats: asking.used ? await commit(asking) : [] };
      } catch (error) {
        transaction.end();
        // Where that fails, the connection is ended.
        if (asking.used) await asking.execute(rollback).catch(() => {});
        throw error;
      }
    },
  );
}

/**
 * Runs `work`, which only reads, in a workspace. Each batch of what it asks is a transaction of PostgreSQL's, without
 * any message for its beginning and end; as every statement sees what is committed by then, that is no difference.
 */
export async function runReading<T>(
  source: ConnectionSource,
  workspaceId: number | null,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return withConnection(
    source,
    workspaceId,
    { sent: 'always', statements: [readingIn(workspaceId)] },
    async (asking) => {
      const transaction = new Transaction(asking, workspaceId);
      return work(transaction).finally(() => transaction.end());
    },
  );
}

/**
 * Runs `work`, which writes in a workspace what it asks at once: PostgreSQL makes that a transaction by itself, without
 * any message for its beginning and end. What `work` asks later is refused.
 */
export async function runInOneStatement<T>(
  source: ConnectionSource,
  workspaceId: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return withConnection(
    source,
    workspaceId,
    { sent: 'always', statements: [settingOf(workspaceId)] },
    (asking) => {
      const transaction = new Transaction(asking, workspaceId);
      const written = work(transaction);
      transaction.end();
      return written;
    },
  );
}

/** Asks a statement by itself, outside of every workspace. */
export async function executeAlone(source: ConnectionSource, statement: Statement): Promise<QueryResult> {
  return withConnection(source, null, { sent: 'always', statements: [] }, (asking) =>
    asking.execute(statement),
  );
}

/** @returns the chats that it changed */
async function commit(asking: Executor): Promise<number[]> {
  const [told, ended] = await Promise.all([asking.execute(changedChats), asking.execute(commitment)]);
  // PostgreSQL takes the commit of what had failed for a rollback.
  if (ended.command !== 'COMMIT') throw new Error('the transaction was rolled back');
  const chats = String(told.rows[0]?.chats ?? '');
  return [...new Set(chats.split(' ').filter(Boolean).map(Number))];
}

async function withConnection<T>(
  source: ConnectionSource,
  workspaceId: number | null,
  { statements, sent }: Preamble,
  work: (asking: PipelinedConnection) => Promise<T>,
): Promise<T> {
  const { client, limits, release } = await source.lease(workspaceId);
  const opening = limits === undefined ? statements : [...statements, limitedTo(limits)];
  const conversation = new PipelinedConnection(client, { sent, statements: opening }, limits);
  try {
    return await work(conversation);
  } finally {
    release(!conversation.close());
  }
}

const begin = { name: 'wes_begin', text: 'begin', values: [] };
const commitment = { name: 'wes_commit', text: 'commit', values: [] };
const rollback = { name: 'wes_rollback', text: 'rollback', values: [], first: true };
const changedChats = {
  name: 'wes_changed_chats',
  text: `select current_setting('app.changed_chats', true) as chats`,
  values: [],
};

function settingOf(workspaceId: number | null): Statement {
  return {
    name: 'wes_workspace',
    text: `select set_config('app.workspace_id', $1, true)`,
    values: [settingValue(workspaceId)],
  };
}

function readingIn(workspaceId: number | null): Statement {
  return {
    name: 'wes_reading',
    text: `select set_config('app.workspace_id', $1, true), set_config('transaction_read_only', 'on', true)`,
    values: [settingValue(workspaceId)],
  };
}

function limitedTo({ statementMs, lockMs }: TransactionLimits): Statement {
  return {
    name: 'wes_limits',
    text: `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)`,
    values: [String(statementMs), String(lockMs)],
  };
}

function settingValue(workspaceId: number | null): string {
  return workspaceId === null ? '' : String(workspaceId);
}
