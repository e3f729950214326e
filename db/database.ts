import knex, { type Knex } from 'knex';
import pg from 'pg';
import { IdentityStore } from './identity/identity-store.js';
import { takeOutboxMark } from './outbox.js';
import { type TransactionSettings, workspaceClient } from './workspace-client.js';

// Ids are int8; they reach us as text and are safe integers for as long as sequences count one by one.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 beyond 2^53 was read');
  return value;
});
// A date has no time zone: `YYYY-MM-DD` stays the text it is.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A transaction inside one workspace. Opaque outside `db/`. */
export type Tx = Knex.Transaction & { readonly workspaceId: number };

/** A transaction around several commands; its workspace is null where it is an account's business. Opaque as well. */
export type OuterTx = Knex.Transaction & { readonly workspaceId: number | null };

/** A transaction outside of every workspace: schema `identity`, and what the outbox holds of no workspace. */
export type IdentityTx = Knex.Transaction & { readonly workspaceId: null };

export type AnyTx = Tx | IdentityTx;

export interface DatabaseOptions {
  /** Connection string of role `wes_app`. */
  url: string;
  /** Connections at most. */
  poolSize?: number;
  /** Called after a commit that wrote outbox rows, to wake the relay. */
  onOutboxWritten?: () => void;
  /** Called after a commit that changed what readers of chats see, to tell them. */
  onChatsChanged?: (workspaceId: number, chatIds: number[]) => void;
}

/** The database as one transaction sees it. */
interface WithinTransaction extends Pick<DatabaseOptions, 'onOutboxWritten' | 'onChatsChanged'> {
  transaction: Knex.Transaction;
}

/** The database as role `wes_app` sees it. One per process, and one within each `atomically`. */
export class Database {
  readonly identity: IdentityStore;
  readonly #knex: Knex;
  readonly #onOutboxWritten: () => void;
  readonly #onChatsChanged: (workspaceId: number, chatIds: number[]) => void;

  constructor(options: DatabaseOptions | WithinTransaction) {
    this.#knex = 'transaction' in options ? options.transaction : connectionPool(options);
    this.#onOutboxWritten = options.onOutboxWritten ?? (() => {});
    this.#onChatsChanged = options.onChatsChanged ?? (() => {});
    this.identity = new IdentityStore(this.#knex);
  }

  /**
   * Runs `work` in one transaction that sees and writes this workspace's rows only (row-level security).
   * Commits when `work` resolves, rolls back when it throws.
   */
  async inWorkspace<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    let wroteOutbox = false;
    let changedChats: number[] = [];
    const onCommit = (chats: number[]) => {
      changedChats = chats;
    };
    const result = await this.#transaction({ workspaceId, onCommit }, async (tx) => {
      const value = await work(tx);
      wroteOutbox = takeOutboxMark(tx);
      return value;
    });
    if (wroteOutbox) this.#onOutboxWritten();
    if (changedChats.length > 0) this.#onChatsChanged(workspaceId, changedChats);
    return result;
  }

  /** Runs `work` in one transaction outside of every workspace: tables of tenants show it nothing. */
  async inIdentity<T>(work: (tx: IdentityTx) => Promise<T>): Promise<T> {
    let wroteOutbox = false;
    const result = await this.#knex.transaction(async (knexTx) => {
      const tx = Object.assign(knexTx, { workspaceId: null }) as IdentityTx;
      const value = await work(tx);
      wroteOutbox = takeOutboxMark(tx);
      return value;
    });
    if (wroteOutbox) this.#onOutboxWritten();
    return result;
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
    let changedChats: number[] = [];
    const onOutboxWritten = () => {
      wroteOutbox = true;
    };
    const onCommit = (chats: number[]) => {
      changedChats = chats;
    };
    const settings = (workspaceId === null ? {} : { workspaceId, onCommit }) as Knex.TransactionConfig;
    const result = await this.#knex.transaction(
      (transaction) =>
        work(
          new Database({ transaction, onOutboxWritten }),
          Object.assign(transaction, { workspaceId }) as OuterTx,
        ),
      settings,
    );
    if (wroteOutbox) this.#onOutboxWritten();
    if (workspaceId !== null && changedChats.length > 0) this.#onChatsChanged(workspaceId, changedChats);
    return result;
  }

  /** `inWorkspace` for what only reads: its answer does not wait for the transaction's end. Writing fails. */
  async readInWorkspace<T>(workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction({ workspaceId, readOnly: true }, work);
  }

  async #transaction<T>(
    settings: TransactionSettings & { workspaceId: number },
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { workspaceId } = settings;
    return this.#knex.transaction(
      (knexTx) => work(Object.assign(knexTx, { workspaceId }) as Tx),
      settings as Knex.TransactionConfig,
    );
  }

  /** True when the database answers. */
  async ping(): Promise<boolean> {
    await this.#knex.raw('select 1');
    return true;
  }

  async close(): Promise<void> {
    await this.#knex.destroy();
  }
}

function connectionPool(options: DatabaseOptions): Knex {
  return knex({
    client: workspaceClient,
    connection: { connectionString: options.url, application_name: 'wes', pipeline: true } as object,
    pool: { min: 0, max: options.poolSize ?? 10 },
    acquireConnectionTimeout: 5_000,
    // What goes wrong is thrown; knex would also print it, past the log.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}
