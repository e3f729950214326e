import type { ConnectionSource, TransactionLimits } from './pool/connection-source.js';
import type { Executor, QueryResult, Statement } from './pool/executor.js';
import { PipelinedConnection, type Preamble, transactionEnded } from './pool/pipelined-connection.js';

/** An open transaction, or a savepoint in one. */
export class Transaction implements Executor {
  /** Null: it sees no rows of any workspace. */
  readonly workspaceId: number | null;
  readonly #within: Executor;
  /** What the statement that entered the workspace was answered; undefined before. */
  readonly #entered: () => QueryResult | undefined;
  /** The number of savepoints that it is nested in. */
  readonly #depth: number;
  #open = true;
  #used = false;
  #lastSavepoint: Promise<unknown> = Promise.resolve();
  #savepoints = 0;
  readonly #atEnd: Statement[] = [];
  readonly #toReport: (() => void)[] = [];

  constructor(
    within: Executor,
    workspaceId: number | null,
    entered: () => QueryResult | undefined = () => undefined,
    depth = 0,
  ) {
    this.#within = within;
    this.#entered = entered;
    this.#depth = depth;
    this.workspaceId = workspaceId;
  }

  /** Rejects statements after the transaction has ended: the connection may already be in use by another one. */
  execute(statement: Statement): Promise<QueryResult> {
    if (!this.#open) return Promise.reject(transactionEnded());
    this.#used = true;
    return this.#within.execute(statement);
  }

  atEnd(statement: Statement): void {
    if (!this.#open) throw transactionEnded();
    this.#atEnd.push(statement);
  }

  afterCommit(report: () => void): void {
    if (!this.#open) throw transactionEnded();
    this.#toReport.push(report);
  }

  /** For a savepoint of this transaction, whose reports are dropped if it is rolled back. */
  markReports(): () => void {
    const { length } = this.#toReport;
    return () => {
      this.#toReport.length = length;
    };
  }

  /** Calls what was given to `afterCommit`, once the transaction has committed: whatever fails there changes nothing. */
  report(): void {
    for (const report of this.#toReport) {
      try {
        report();
      } catch (error) {
        process.emitWarning(error as Error);
      }
    }
  }

  /** Told by the statement that entered the workspace, so that nothing is asked where no rule listens. */
  async eventTypes(): Promise<readonly string[]> {
    const entered = this.#entered() ?? (await this.execute(entering(this.workspaceId)));
    return entered.rows[0]?.event_types as string[];
  }

  /** The statements of `atEnd`, of which there must be no more. */
  get last(): readonly Statement[] {
    return this.#atEnd;
  }

  get used(): boolean {
    return this.#used;
  }

  /** Rejects all further statements. */
  end(): void {
    this.#open = false;
  }

  /** Runs `work` in a savepoint in that workspace. Concurrent calls run one after the other. */
  async nested<T>(workspaceId: number | null, work: (savepoint: Transaction) => Promise<T>): Promise<T> {
    const run = this.#lastSavepoint.then(() => this.#runNested(workspaceId, work));
    this.#lastSavepoint = run.catch(() => {});
    return run;
  }

  async #runNested<T>(workspaceId: number | null, work: (savepoint: Transaction) => Promise<T>): Promise<T> {
    this.#savepoints += 1;
    const name = `inner_${this.#depth}_${this.#savepoints}`;
    let entered: QueryResult | undefined;
    const savepoint = new Transaction(this, workspaceId, () => entered, this.#depth + 1);
    const begun = this.#executeAll({ text: `savepoint ${name}`, values: [] }, entering(workspaceId)).then(
      (results) => {
        entered = results[1];
      },
    );
    begun.catch(() => {});
    try {
      const value = await work(savepoint);
      await begun;
      savepoint.end();
      await this.#executeAll(
        ...savepoint.last,
        { text: `release savepoint ${name}`, values: [] },
        settingOf(this.workspaceId),
      );
      this.#toReport.push(...savepoint.#toReport);
      return value;
    } catch (error) {
      savepoint.end();
      // The rollback also restores the tenant setting. If it fails, so does the transaction, by its commit at the
      // latest.
      await this.execute({ text: `rollback to savepoint ${name}`, values: [], first: true }).catch(() => {});
      throw error;
    }
  }

  #executeAll(...statements: Statement[]): Promise<QueryResult[]> {
    const executed = Promise.all(statements.map((statement) => this.execute(statement)));
    // Awaited later; without this handler, a rejection in the meantime would be unhandled.
    executed.catch(() => {});
    return executed;
  }
}

/**
 * Runs `work` in a transaction on a connection of its own. BEGIN is sent with the first statement: if it fails, no
 * statement is executed. Commits when `work` resolves, rolls back when it throws. The connection is closed unless the
 * transaction on it has certainly ended.
 * @returns the result of `work`, and the ids of the changed and the new chats, which the triggers of chats note
 */
export async function runTransaction<T>(
  source: ConnectionSource,
  workspaceId: number | null,
  work: (transaction: Transaction) => Promise<T>,
): Promise<{ value: T; changedChats: number[] }> {
  const preamble: Preamble = { sent: 'once', statements: [begin, entering(workspaceId)] };
  let committed: Transaction | undefined;
  const ended = await withConnection(source, workspaceId, preamble, async (connection) => {
    const transaction = new Transaction(connection, workspaceId, () => connection.entered[1]);
    try {
      const value = await work(transaction);
      transaction.end();
      const isUsed = connection.used || transaction.last.length > 0;
      const changedChats = isUsed ? await commit(connection, transaction.last) : [];
      committed = transaction;
      return { value, changedChats };
    } catch (error) {
      transaction.end();
      // If the rollback fails, the connection is closed.
      if (connection.used) await connection.execute(rollback).catch(() => {});
      throw error;
    }
  });
  committed?.report();
  return ended;
}

/**
 * Runs `work`, which only reads, in a workspace. Each batch of its statements is an implicit transaction, without BEGIN
 * and COMMIT. For reads that makes no difference, because each statement sees what was committed before it either way.
 */
export async function runReading<T>(
  source: ConnectionSource,
  workspaceId: number | null,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const preamble: Preamble = { sent: 'always', statements: [readingIn(workspaceId)] };
  return withConnection(source, workspaceId, preamble, async (connection) => {
    const transaction = new Transaction(connection, workspaceId);
    const value = await work(transaction).finally(() => transaction.end());
    if (transaction.last.length > 0) throw new Error('a read has something to write');
    return value;
  });
}

/**
 * Runs `work`, which writes in a workspace with statements that it executes at once: PostgreSQL makes them an implicit
 * transaction, without BEGIN and COMMIT. Statements that `work` executes later are rejected.
 */
export async function runInOneStatement<T>(
  source: ConnectionSource,
  workspaceId: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const preamble: Preamble = { sent: 'always', statements: [settingOf(workspaceId)] };
  return withConnection(source, workspaceId, preamble, (connection) => {
    const transaction = new Transaction(connection, workspaceId);
    const written = work(transaction);
    transaction.end();
    return Promise.all([written, ...transaction.last.map((one) => connection.execute(one))]).then(
      ([value]) => {
        transaction.report();
        return value;
      },
    );
  });
}

/** Executes a statement by itself, outside every workspace. */
export async function executeAlone(source: ConnectionSource, statement: Statement): Promise<QueryResult> {
  return withConnection(source, null, { sent: 'always', statements: [] }, (connection) =>
    connection.execute(statement),
  );
}

/** @returns the ids of the chats that the transaction changed or added */
async function commit(connection: Executor, last: readonly Statement[]): Promise<number[]> {
  const [changed, ended] = await Promise.all([
    connection.execute(changedChats),
    ...last.map((statement) => connection.execute(statement)),
    connection.execute(commitment),
  ]).then((results) => [results[0], results.at(-1)] as [QueryResult, QueryResult]);
  // PostgreSQL answers the commit of a failed transaction with a rollback.
  if (ended.command !== 'COMMIT') throw new Error('the transaction was rolled back');
  const chats = String(changed.rows[0]?.chats ?? '');
  return [...new Set(chats.split(' ').filter(Boolean).map(Number))];
}

async function withConnection<T>(
  source: ConnectionSource,
  workspaceId: number | null,
  { statements, sent }: Preamble,
  work: (connection: PipelinedConnection) => Promise<T>,
): Promise<T> {
  const { client, limits, release } = await source.lease(workspaceId);
  const preamble = limits === undefined ? statements : [...statements, limitedTo(limits)];
  const connection = new PipelinedConnection(client, { sent, statements: preamble }, limits);
  try {
    return await work(connection);
  } finally {
    release(!connection.close());
  }
}

const begin = { name: 'wes_begin', text: 'begin', values: [] };
const commitment = { name: 'wes_commit', text: 'commit', values: [] };
const rollback = { name: 'wes_rollback', text: 'rollback', values: [], first: true };
const changedChats = {
  name: 'wes_changed_chats',
  text: `select concat_ws(' ', current_setting('app.changed_chats', true), current_setting('app.new_chats', true)) as chats`,
  values: [],
};

function settingOf(workspaceId: number | null): Statement {
  return {
    name: 'wes_workspace',
    text: `select set_config('app.workspace_id', $1, true)`,
    values: [settingValue(workspaceId)],
  };
}

/** Enters a workspace, and tells the types of its event rules, which are in view only once it is entered. */
function entering(workspaceId: number | null): Statement {
  if (workspaceId === null) return settingOf(null);
  return {
    name: 'wes_enter',
    text: `with entered as materialized (select set_config('app.workspace_id', $1, true) as id)
      select array(select distinct event_type from event_rules
        where workspace_id = entered.id::bigint and deleted_at is null) as event_types
      from entered`,
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
