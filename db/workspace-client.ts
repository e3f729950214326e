import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Knex } from 'knex';

/** How a transaction inside a workspace begins. */
export interface TransactionSettings {
  workspaceId?: number;
  /** It writes nothing: PostgreSQL refuses what would, and nobody waits for its end. */
  readOnly?: boolean;
  /** Told, once what it wrote is committed, which chats it changed. */
  onCommit?: (changedChats: number[]) => void;
}

/** The triggers of migration 0009 noted what changed. */
const commitTelling = `SELECT current_setting('app.changed_chats', true) AS chats; COMMIT`;

const require = createRequire(import.meta.url);
const PostgresClient = require('knex/lib/dialects/postgres/index.js');
const PostgresTransaction = require('knex/lib/dialects/postgres/execution/pg-transaction.js');

/**
 * A transaction without round trips of its own, but for the commit of what was written. A savepoint is in the
 * workspace of the transaction around it, or sets its own and gives the other back.
 */
class WorkspaceTransaction extends PostgresTransaction {
  constructor(
    client: unknown,
    container: unknown,
    config: TransactionSettings,
    outerTx: WorkspaceTransaction | null,
  ) {
    super(client, container, config, outerTx);
    this.outerWorkspaceId = outerTx?.workspaceId;
    this.workspaceId = config?.workspaceId ?? this.outerWorkspaceId;
    this.onCommit = config?.onCommit;
  }

  /** Goes out ahead of the first query, and is not waited for: should it fail, the transaction does. */
  begin(connection: unknown): Promise<unknown> {
    if (this.workspaceId === undefined) return super.begin(connection);
    const mode = this.readOnly ? ' READ ONLY' : '';
    this.query(connection, `BEGIN${mode}; ${settingOf(this.workspaceId)}`);
    return Promise.resolve();
  }

  savepoint(connection: unknown): Promise<unknown> {
    if (this.workspaceId === this.outerWorkspaceId) return super.savepoint(connection);
    return this.query(connection, `SAVEPOINT ${this.txid}; ${settingOf(this.workspaceId)}`);
  }

  release(connection: unknown, value: unknown): Promise<unknown> {
    if (this.workspaceId === this.outerWorkspaceId) return super.release(connection, value);
    const sql = `RELEASE SAVEPOINT ${this.txid}; ${settingOf(this.outerWorkspaceId)}`;
    return this.query(connection, sql, 1, value);
  }

  /**
   * What was read is good, whatever becomes of the commit. The connection goes back to the pool with it under way:
   * whoever has it next is served after it.
   */
  commit(connection: unknown, value: unknown): Promise<unknown> {
    if (this.onCommit !== undefined) return this.commitTelling(connection, value);
    if (!this.readOnly) return super.commit(connection, value);
    const ending = this.query(connection, 'COMMIT;');
    this._completed = true;
    this._resolver(value);
    return ending;
  }

  /** The commit of what was written brings along which chats it changed. */
  async commitTelling(connection: unknown, value: unknown): Promise<unknown> {
    const committing = this.query(connection, commitTelling);
    this._completed = true;
    const answer = await committing;
    if (answer === undefined) {
      // Rejected by now. Where it was the first statement that failed, the transaction is still open.
      await this.client._query(connection, { sql: 'ROLLBACK' }).catch(() => undefined);
      return undefined;
    }
    const text: string | null = answer.response[0].rows[0].chats;
    this.onCommit([...new Set((text ?? '').split(' ').filter(Boolean).map(Number))]);
    this._resolver(value);
    return answer;
  }
}

function settingOf(workspaceId: number | undefined): string {
  return `SET LOCAL app.workspace_id = '${workspaceId === undefined ? '' : Number(workspaceId)}'`;
}

/** Sends queries without waiting for the answers to those before, and what comes together in one piece. */
export class WorkspaceClient extends PostgresClient {
  transaction(
    container: unknown,
    config: TransactionSettings,
    outerTx: WorkspaceTransaction | null,
  ): unknown {
    return new WorkspaceTransaction(this, container, config, outerTx);
  }

  _query(connection: { connection: { stream: Socket } }, query: unknown): Promise<unknown> {
    const { stream } = connection.connection;
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super._query(connection, query);
  }
}

/** As knex wants it. */
export const workspaceClient = WorkspaceClient as unknown as typeof Knex.Client;
