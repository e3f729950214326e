import pg from 'pg';
import { type ConnectionLimits, serviceLimits } from './connection-settings.js';
import { type IdentityStore, identityStore } from './identity/identity-store.js';
import { parseTextArray, textArrayType } from './lib/text-array.js';
import { takeOutboxMark } from './outbox.js';
import {
  ConnectionPool,
  ConnectionSource,
  type ConnectionTerms,
  connectionShares,
} from './pool/connection-source.js';
import type { Executor } from './pool/executor.js';
import { queryBuilderFor } from './pool/query-builder.js';
import { executeAlone, runInOneStatement, runReading, runTransaction, Transaction } from './transaction.js';
import type { AnyTx, EnteredTx, IdentityTx, OuterTx, Tx } from './tx.js';

// Ids are int8, which the driver returns as text. They stay safe integers as long as sequences count one by one.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 beyond 2^53 was read');
  return value;
});
// A date has no time zone, so it stays `YYYY-MM-DD` text.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(textArrayType, parseTextArray);

export interface DatabaseOptions {
  /** Connection string of role `wes_app`. */
  url: string;
  /** The connections' `application_name`. */
  name?: string;
  poolSize?: number;
  /** Limits that differ from those of the service. */
  limits?: Partial<ConnectionLimits>;
  /** The fraction of the connections that one workspace or account may hold at once; absent: no such limit. */
  share?: number;
  /** Returns the time after which results are of no use, in epoch milliseconds; undefined: no deadline. */
  deadline?: () => number | undefined;
  /** Called after a commit that wrote outbox rows, to wake the relay. */
  onOutboxWritten?: () => void;
  /** Called after a commit that changed what readers of chats see, to notify them. */
  onChatsChanged?: (workspaceId: number, chatIds: number[]) => void;
}

/** Options of a database on an existing source: an open transaction, or the connections of another database. */
interface DatabaseOver<Source> extends Pick<DatabaseOptions, 'onOutboxWritten' | 'onChatsChanged'> {
  source: Source;
}

/** The part of a database that only reads within workspaces. */
export type ReadingDatabase = Pick<Database, 'readInWorkspace'>;

/** The part of a database that enters workspaces from within a transaction outside them. */
export type WithinWorkspaces = Pick<Database, 'readInWorkspace' | 'inWorkspace'>;

/** The database as role `wes_app` sees it. One instance per process, and one within each `atomically`. */
export class Database {
  /** The connections, or the open transaction that all work of this instance is part of. */
  readonly #source: ConnectionSource | Transaction;
  readonly #executor: Executor;
  readonly #onOutboxWritten: () => void;
  readonly #onChatsChanged: (workspaceId: number, chatIds: number[]) => void;
  #identity: IdentityStore | undefined;

  constructor(options: DatabaseOptions | DatabaseOver<ConnectionSource | Transaction>) {
    const source = 'source' in options ? options.source : connectionSource(options);
    this.#source = source;
    this.#executor = source instanceof Transaction ? source : { execute: (one) => executeAlone(source, one) };
    this.#onOutboxWritten = options.onOutboxWritten ?? (() => {});
    this.#onChatsChanged = options.onChatsChanged ?? (() => {});
  }

  /** The tables that are read before a workspace is known. */
  get identity(): IdentityStore {
    this.#identity ??= identityStore(queryBuilderFor(this.#executor, {}), (work) => this.inIdentity(work));
    return this.#identity;
  }

  /**
   * Runs `work` in one transaction that sees and writes this workspace's rows only (row-level security). Commits when
   * `work` resolves, rolls back when it throws.
   */
  async inWorkspace<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#write(workspaceId, (tx) => work(tx as Tx));
  }

  /**
   * `inWorkspace` for statements that `work` executes at once and that change no chat, without BEGIN and COMMIT: all of them
   * take effect, or none. Rejects later statements.
   */
  async inOneStatement<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    const source = this.#source;
    if (source instanceof Transaction) return this.inWorkspace(workspaceId, work);
    let tx: Tx | undefined;
    const value = await runInOneStatement(source, workspaceId, (transaction) => {
      tx = queryBuilderIn(transaction) as unknown as Tx;
      return work(tx);
    });
    if (tx !== undefined && takeOutboxMark(tx)) this.#onOutboxWritten();
    return value;
  }

  /** Outside every workspace, tenant tables show no rows. `within` enters workspaces in the same transaction. */
  async inIdentity<T>(work: (tx: IdentityTx, within: WithinWorkspaces) => Promise<T>): Promise<T> {
    return this.atomically(null, (within, tx) => work(tx as IdentityTx, within));
  }

  /**
   * Runs several commands in one transaction: everything that `work` does through `within` is part of it, and each
   * `inWorkspace` is a savepoint. Commits when `work` resolves, rolls back when it throws, and wakes the relay after
   * the commit. It holds a connection, so `work` must not wait for other systems.
   */
  async atomically<T>(
    workspaceId: number | null,
    work: (within: Database, tx: OuterTx) => Promise<T>,
  ): Promise<T> {
    let wroteOutbox = false;
    const onOutboxWritten = () => {
      wroteOutbox = true;
    };
    const result = await this.#write(workspaceId, (tx, transaction) =>
      work(new Database({ source: transaction, onOutboxWritten }), tx),
    );
    if (wroteOutbox) this.#onOutboxWritten();
    return result;
  }

  /**
   * `atomically` with a transaction that is always rolled back, and of which neither the relay nor readers of chats are
   * told. @returns what `work` returned
   */
  async rolledBack<T>(workspaceId: number | null, work: (within: Database) => Promise<T>): Promise<T> {
    try {
      await this.#write(workspaceId, async (_tx, transaction) => {
        throw new RolledBack(await work(new Database({ source: transaction })));
      });
    } catch (ended) {
      if (ended instanceof RolledBack) return ended.value as T;
      throw ended;
    }
    throw new Error('a transaction was committed instead of rolled back');
  }

  /** `inWorkspace` for work that only reads: sends neither BEGIN nor COMMIT. Writing fails. */
  async readInWorkspace<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#read(workspaceId, (tx) => work(tx as Tx));
  }

  /**
   * `readInWorkspace` for a read that itself determines the workspace, if any: `enter` executes the statement that
   * enters it at once. The statements that `prefetch` executes at once are sent in the same message and run inside that
   * workspace; later ones are rejected. If the common batch fails, `enter` runs again alone, so its result does not
   * depend on `prefetch` (docs/decisions/0049-asked-with-who-is-calling.md).
   */
  async readEntering<T>(
    enter: (tx: IdentityTx) => Promise<T>,
    prefetch?: (tx: EnteredTx) => Promise<unknown>,
  ): Promise<T> {
    return this.#read(null, async (outer, transaction) => {
      const tx = outer as IdentityTx;
      // Within an outer transaction, a failure of `prefetch` would fail all of it.
      if (prefetch === undefined || this.#source instanceof Transaction) return enter(tx);
      const early = new Transaction(transaction, null);
      // Runs before the batch is sent. The next batch would be in no workspace, so later statements must be rejected.
      setImmediate(() => early.end());
      const entering = enter(tx);
      if (!transaction.used) return entering;
      // Row-level security applies the workspace that was entered; this process does not know it yet.
      const inEntered = queryBuilderFor(early, {}) as unknown as EnteredTx;
      const [entered] = await Promise.allSettled([entering, prefetch(inEntered)]);
      return entered.status === 'fulfilled' ? entered.value : enter(tx);
    });
  }

  /** Returns the same database with connections on other terms. */
  withTerms(terms: ConnectionTerms): Database {
    if (this.#source instanceof Transaction) return this;
    return new Database({
      source: this.#source.with(terms),
      onOutboxWritten: this.#onOutboxWritten,
      onChatsChanged: this.#onChatsChanged,
    });
  }

  async #read<T>(
    workspaceId: number | null,
    work: (tx: OuterTx, transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const read = (transaction: Transaction) => work(queryBuilderIn(transaction), transaction);
    return this.#source instanceof Transaction
      ? this.#source.nested(workspaceId, read)
      : runReading(this.#source, workspaceId, read);
  }

  async #write<T>(
    workspaceId: number | null,
    work: (tx: OuterTx, transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    let tx: OuterTx | undefined;
    const write = (transaction: Transaction) => {
      tx = queryBuilderIn(transaction);
      return work(tx, transaction);
    };
    const { value, changedChats } =
      this.#source instanceof Transaction
        ? { value: await this.#source.nested(workspaceId, write), changedChats: [] }
        : await runTransaction(this.#source, workspaceId, write);
    if (tx !== undefined && takeOutboxMark(tx as AnyTx)) this.#onOutboxWritten();
    if (workspaceId !== null && changedChats.length > 0) this.#onChatsChanged(workspaceId, changedChats);
    return value;
  }

  async ping(): Promise<boolean> {
    await this.#executor.execute({ text: 'select 1', values: [] });
    return true;
  }

  /** Whether the storage has the bytes of an object of any workspace, as far as the rows say. */
  async hasStoredObjects(): Promise<boolean> {
    const { rows } = await this.#executor.execute({
      text: 'select has_stored_objects() as found',
      values: [],
    });
    return rows[0]?.found === true;
  }

  /** Analyzes tables that have grown a lot since the last time; for jobs, each time their rows have doubled. */
  async gatherStatistics(): Promise<void> {
    await this.#executor.execute({ text: 'select gather_statistics()', values: [] });
  }

  async close(): Promise<void> {
    if (!(this.#source instanceof Transaction)) await this.#source.end();
  }
}

/** Thrown to roll a transaction back; carries the result of its work. */
class RolledBack {
  constructor(readonly value: unknown) {}
}

function queryBuilderIn(transaction: Transaction): OuterTx {
  return queryBuilderFor(transaction, { workspaceId: transaction.workspaceId });
}

function connectionSource(options: DatabaseOptions): ConnectionSource {
  const { url, name = 'wes', poolSize: size = 10, share, deadline } = options;
  const limits = { ...serviceLimits, ...options.limits };
  return new ConnectionSource({
    pool: new ConnectionPool({ url, name, size, limits }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(share === undefined ? {} : { shares: connectionShares(size, share, limits.connectMs) }),
  });
}
