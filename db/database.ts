import type { Knex } from 'knex';
import pg from 'pg';
import { IdentityStore } from './identity/identity-store.js';
import { takeOutboxMark } from './outbox.js';
import { ConnectionPool } from './pool/connection-pool.js';
import { type ConnectionLimits, serviceLimits } from './pool/connection-settings.js';
import { ConnectionSource, type ConnectionTerms } from './pool/connection-source.js';
import type { Executor } from './pool/executor.js';
import { FairSemaphore } from './pool/fair-semaphore.js';
import { queryBuilderFor } from './pool/query-builder.js';
import { parseTextArray, textArrayType } from './pool/text-array.js';
import {
  executeAlone,
  runInOneStatement,
  runReading,
  runTransaction,
  Transaction,
} from './pool/transaction.js';

export { ConnectionsBusy, FairSemaphore, ShareExceeded } from './pool/fair-semaphore.js';

// Ids are int8; they reach us as text and are safe integers for as long as sequences count one by one.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 beyond 2^53 was read');
  return value;
});
// A date has no time zone: `YYYY-MM-DD` stays the text it is.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(textArrayType, parseTextArray);

declare const inWorkspace: unique symbol;

/** A transaction inside a workspace that the database knows, and this process need not yet. Opaque outside `db/`. */
export type EnteredTx = Knex & { readonly [inWorkspace]: true };

/** A transaction inside one workspace. */
export type Tx = EnteredTx & { readonly workspaceId: number };

/** A transaction around several commands; its workspace is null where it is an account's business. Opaque as well. */
export type OuterTx = Knex & { readonly workspaceId: number | null };

/** A transaction outside of every workspace: schema `identity`, and what the outbox holds of no workspace. */
export type IdentityTx = Knex & { readonly workspaceId: null };

export type AnyTx = Tx | IdentityTx;

export interface DatabaseOptions {
  /** Connection string of role `wes_app`. */
  url: string;
  /** What PostgreSQL lists the connections as. */
  name?: string;
  /** Connections at most. */
  poolSize?: number;
  /** Other limits than those of the service. */
  limits?: Partial<ConnectionLimits>;
  /** The part of the connections that one workspace or account has at once at most; absent: all of them. */
  share?: number;
  /** When what is asked is of no use any more, in epoch milliseconds; undefined where there is no such time. */
  deadline?: () => number | undefined;
  /** Called after a commit that wrote outbox rows, to wake the relay. */
  onOutboxWritten?: () => void;
  /** Called after a commit that changed what readers of chats see, to tell them. */
  onChatsChanged?: (workspaceId: number, chatIds: number[]) => void;
}

/** The database as one transaction sees it, or with connections of others. */
interface DatabaseOver<Source> extends Pick<DatabaseOptions, 'onOutboxWritten' | 'onChatsChanged'> {
  source: Source;
}

/** What only reads of a workspace. */
export type ReadingDatabase = Pick<Database, 'readInWorkspace'>;

/** What enters workspaces, as part of a transaction outside of them. */
export type WithinWorkspaces = Pick<Database, 'readInWorkspace' | 'inWorkspace'>;

/** The database as role `wes_app` sees it. One per process, and one within each `atomically`. */
export class Database {
  /** Its connections, or the transaction that others began. */
  readonly #source: ConnectionSource | Transaction;
  readonly #asking: Executor;
  readonly #onOutboxWritten: () => void;
  readonly #onChatsChanged: (workspaceId: number, chatIds: number[]) => void;
  #identity: IdentityStore | undefined;

  constructor(options: DatabaseOptions | DatabaseOver<ConnectionSource | Transaction>) {
    const source = 'source' in options ? options.source : connectionSource(options);
    this.#source = source;
    this.#asking = source instanceof Transaction ? source : { execute: (one) => executeAlone(source, one) };
    this.#onOutboxWritten = options.onOutboxWritten ?? (() => {});
    this.#onChatsChanged = options.onChatsChanged ?? (() => {});
  }

  /** What is looked up before a workspace is known. */
  get identity(): IdentityStore {
    this.#identity ??= new IdentityStore(queryBuilderFor(this.#asking, {}), (work) => this.inIdentity(work));
    return this.#identity;
  }

  /**
   * Runs `work` in one transaction that sees and writes this workspace's rows only (row-level security).
   * Commits when `work` resolves, rolls back when it throws.
   */
  async inWorkspace<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#write(workspaceId, (tx) => work(tx as Tx));
  }

  /**
   * `inWorkspace` for a single statement that changes no chat: it is a transaction by itself, which takes neither a
   * message for its beginning nor one for its end. What `work` asks after its first wait is refused.
   */
  async inOneStatement<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    const source = this.#source;
    if (source instanceof Transaction) return this.inWorkspace(workspaceId, work);
    let tx: Tx | undefined;
    const value = await runInOneStatement(source, workspaceId, (transaction) => {
      tx = composerIn(transaction) as unknown as Tx;
      return work(tx);
    });
    if (tx !== undefined && takeOutboxMark(tx)) this.#onOutboxWritten();
    return value;
  }

  /**
   * Runs `work` in one transaction outside of every workspace: tables of tenants show it nothing. `within` reads and
   * writes inside a workspace as part of it.
   */
  async inIdentity<T>(work: (tx: IdentityTx, within: WithinWorkspaces) => Promise<T>): Promise<T> {
    return this.atomically(null, (within, tx) => work(tx as IdentityTx, within));
  }

  /**
   * Runs several commands as one: whatever is done through the database that `work` is given is part of one
   * transaction, in which every `inWorkspace` is a savepoint. All of it is committed when `work` resolves, and
   * nothing when it throws; the relay is woken after the commit. It holds a connection: no waiting for others inside.
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

  /** `inWorkspace` for what only reads: nobody waits for its beginning or its end. Writing fails. */
  async readInWorkspace<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#read(workspaceId, (tx) => work(tx as Tx));
  }

  /**
   * `readInWorkspace` for what finds out itself which workspace it is in, if any: `enter` asks at once what enters it.
   * What `asks` asks at once goes out with that, and is asked inside; what it asks later is refused. Whatever becomes
   * of it, `enter` is answered (docs/decisions/0049-asked-with-who-is-calling.md).
   */
  async readEntering<T>(
    enter: (tx: IdentityTx) => Promise<T>,
    asks?: (tx: EnteredTx) => Promise<unknown>,
  ): Promise<T> {
    return this.#read(null, async (outer, transaction) => {
      const tx = outer as IdentityTx;
      // Within a transaction of others, what fails would fail all of it.
      if (asks === undefined || this.#source instanceof Transaction) return enter(tx);
      const early = new Transaction(transaction, null);
      // Comes before the batch is sent: the next one would be in no workspace.
      setImmediate(() => early.end());
      const entering = enter(tx);
      if (!transaction.used) return entering;
      const [entered] = await Promise.allSettled([entering, asks(inEntered(early))]);
      return entered.status === 'fulfilled' ? entered.value : enter(tx);
    });
  }

  /** The same database, with connections on other terms. */
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
    const read = (transaction: Transaction) => work(composerIn(transaction), transaction);
    return this.#source instanceof Transaction
      ? this.#source.nested(workspaceId, read)
      : runReading(this.#source, workspaceId, read);
  }

  /** A transaction, or a savepoint in the one there is. What it wrote is told once it is committed. */
  async #write<T>(
    workspaceId: number | null,
    work: (tx: OuterTx, transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    let tx: OuterTx | undefined;
    const write = (transaction: Transaction) => {
      tx = composerIn(transaction);
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

  /** True when the database answers. */
  async ping(): Promise<boolean> {
    await this.#asking.execute({ text: 'select 1', values: [] });
    return true;
  }

  /**
   * Has PostgreSQL look at tables that have grown a lot since it last did. To be called by what makes them grow, as that
   * doubles; where nothing has, nothing is done.
   */
  async gatherStatistics(): Promise<void> {
    await this.#asking.execute({ text: 'select gather_statistics()', values: [] });
  }

  async close(): Promise<void> {
    if (!(this.#source instanceof Transaction)) await this.#source.end();
  }
}

function composerIn(transaction: Transaction): OuterTx {
  return queryBuilderFor(transaction, { workspaceId: transaction.workspaceId });
}

/** Row-level security sees the workspace that was entered; the process does not know it yet. */
function inEntered(early: Transaction): EnteredTx {
  return queryBuilderFor(early, {}) as unknown as EnteredTx;
}

function connectionSource(options: DatabaseOptions): ConnectionSource {
  const { url, name = 'wes', poolSize = 10, share, deadline } = options;
  const limits = { ...serviceLimits, ...options.limits };
  return new ConnectionSource({
    pool: new ConnectionPool({ url, name, size: poolSize, limits }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(share === undefined ? {} : { shares: sharesOf(poolSize, share, limits.connectMs) }),
  });
}

function sharesOf(size: number, share: number, timeoutMs: number): FairSemaphore {
  return new FairSemaphore({ size, maxPerHolder: Math.max(1, Math.floor(size * share)), timeoutMs });
}
