import pg, { type ClientBase } from 'pg';
import { closeConnection, connectionSettings, noticeLimits } from '../../db/connection-settings.js';
import type { Logger } from '../logger.js';
import { failureCode } from '../temporal/failures.js';
import { type Kind, waitingEntries } from './outbox.js';

const measureEveryMs = 5_000;

export interface GaugeObserver {
  /** Undefined: it cannot be measured. */
  observe(standing: OutboxCounts | undefined): void;
  /** Undefined: they cannot be measured. */
  observeTurns(owed: OwedTurns | undefined): void;
  /** Undefined: they cannot be measured. */
  observeDeliveries(due: DueDeliveries | undefined): void;
  /** Undefined: they cannot be measured. */
  observeScheduled(due: DueScheduledMessages | undefined): void;
  /** Seconds of the oldest erasure. Undefined: they cannot be measured. */
  observeErasures(oldestSeconds: number | undefined): void;
}

interface Measure {
  name: string;
  take(client: pg.Client): Promise<void>;
  /** Records that the value cannot be measured. */
  miss(): void;
}

/**
 * Measures the outbox, the owed turns of agents, the messages that are due, also scheduled ones, and open erasures, on a
 * separate connection and timer, so that a stalled relay shows.
 * A value that cannot be measured is reported as unknown instead of keeping its last value.
 */
export class Gauges {
  readonly #url: string;
  readonly #measures: readonly Measure[];
  readonly #logger: Logger;
  #client: pg.Client | undefined;
  /** The connection on which a transaction is open. */
  #reading: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #measuring: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(url: string, metrics: GaugeObserver, logger: Logger) {
    this.#url = url;
    this.#logger = logger;
    const notifyOverdue = notifyOverdueTurns(logger);
    this.#measures = [
      {
        name: 'the outbox',
        take: async (client) => metrics.observe(await readOutboxCounts(client)),
        miss: () => metrics.observe(undefined),
      },
      {
        name: 'the turns that are owed',
        async take(client) {
          const owed = await readOwedTurns(client);
          metrics.observeTurns(owed);
          notifyOverdue(owed);
        },
        miss: () => metrics.observeTurns(undefined),
      },
      {
        name: 'the messages that are due',
        take: async (client) => metrics.observeDeliveries(await readDueDeliveries(client)),
        miss: () => metrics.observeDeliveries(undefined),
      },
      {
        name: 'the scheduled messages that are due',
        take: async (client) => metrics.observeScheduled(await readDueScheduledMessages(client)),
        miss: () => metrics.observeScheduled(undefined),
      },
      {
        name: 'the oldest erasure',
        take: async (client) => metrics.observeErasures(await readOldestErasure(client)),
        miss: () => metrics.observeErasures(undefined),
      },
    ];
  }

  start(): void {
    this.#measuring = this.#measureAll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#forget();
    await this.#measuring;
  }

  async #measureAll(): Promise<void> {
    let isReachable = true;
    for (const measure of this.#measures) {
      // One attempt to connect per pass: a database that does not respond takes seconds to refuse each of them.
      isReachable = isReachable && (await this.#connect());
      await this.#measure(measure);
    }
    await this.#endTransaction();
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#measuring = this.#measureAll();
    }, measureEveryMs);
  }

  async #measure({ name, take, miss }: Measure): Promise<void> {
    if (this.#stopped) return;
    if (this.#client === undefined) {
      miss();
      return;
    }
    try {
      await this.#inTransaction(this.#client);
      await take(this.#client);
    } catch (error) {
      if (this.#stopped) return;
      miss();
      this.#logger.warn({ code: failureCode(error) }, `${name} cannot be measured`);
      void this.#forget();
    }
  }

  /** A pass is one transaction, unless a measure has failed in it. */
  async #inTransaction(client: pg.Client): Promise<void> {
    if (this.#reading === client) return;
    await client.query('begin read only');
    this.#reading = client;
  }

  async #endTransaction(): Promise<void> {
    const client = this.#client;
    const isOpen = client !== undefined && this.#reading === client;
    this.#reading = undefined;
    if (isOpen) await client.query('commit').catch(() => this.#forget(client));
  }

  /** @returns whether there is a connection */
  async #connect(): Promise<boolean> {
    if (this.#stopped) return false;
    if (this.#client !== undefined) return true;
    const fresh = new pg.Client(connectionSettings(this.#url, 'wes-relay-gauges', noticeLimits));
    this.#client = fresh;
    fresh.on('error', () => void this.#forget(fresh));
    try {
      await fresh.connect();
      return true;
    } catch (error) {
      if (!this.#stopped) this.#logger.warn({ code: failureCode(error) }, 'nothing can be measured');
      await this.#forget(fresh);
      return false;
    }
  }

  async #forget(lost = this.#client): Promise<void> {
    if (this.#client === lost) this.#client = undefined;
    if (lost !== undefined) await closeConnection(lost);
  }
}

export interface OutboxCounts {
  counts: Record<Kind, { waiting: number; parked: number }>;
  /** Age of the oldest waiting `interactive` entry; 0 if none waits. */
  oldestSeconds: number;
}

/** The highest count, which bounds the cost of measuring a long outbox. */
export const countedTo = 10_000;

const parkedEntries: Record<Kind, string> = {
  interactive: `run_type <> 'deliverWebhook' and not woken and parked_at is not null`,
  woken: `woken and parked_at is not null`,
  bulk: `run_type = 'deliverWebhook' and parked_at is not null`,
};

async function readOutboxCounts(client: Pick<ClientBase, 'query'>): Promise<OutboxCounts> {
  const { rows } = await client.query(
    `select ${waitingCount('interactive')} as interactive, ${parkedCount('interactive')} as interactive_parked,
       ${waitingCount('woken')} as woken, ${parkedCount('woken')} as woken_parked,
       ${waitingCount('bulk')} as bulk, ${parkedCount('bulk')} as bulk_parked,
       coalesce((
         select extract(epoch from clock_timestamp() - created_at)::float8 from outbox
         where ${waitingEntries.interactive} order by created_at limit 1
       ), 0) as oldest_seconds`,
  );
  const { interactive, interactive_parked, woken, woken_parked, bulk, bulk_parked, oldest_seconds } = rows[0];
  return {
    counts: {
      interactive: { waiting: interactive, parked: interactive_parked },
      woken: { waiting: woken, parked: woken_parked },
      bulk: { waiting: bulk, parked: bulk_parked },
    },
    oldestSeconds: Math.max(0, oldest_seconds),
  };
}

function waitingCount(kind: Kind): string {
  return `(select count(*)::int from (
    select from outbox where ${waitingEntries[kind]}
    order by coalesce(workspace_id, 0), available_at, id limit ${countedTo}
  ) counted)`;
}

function parkedCount(kind: Kind): string {
  return `(select count(*)::int from (
    select from outbox where ${parkedEntries[kind]} order by run_type limit ${countedTo}
  ) counted)`;
}

/** The turns of agents that chats are owed, in all workspaces. */
export interface OwedTurns {
  /** How long the oldest turn has been owed; 0 if none is. */
  oldestSeconds: number;
  /** Number of overdue turns, up to `overdueCountedTo`, and of their workspaces. */
  turns: number;
  workspaces: number;
  /** The workspaces that have waited longest, up to `namedInLog`. */
  longest: { workspaceId: number; turns: number; oldestSeconds: number }[];
}

/** A turn takes seconds; if it is owed for longer, something is unavailable, too slow or broken. */
export const overdueAfterSeconds = 300;
/** The measurement reads at most this many of the oldest turns. */
export const overdueCountedTo = 10_000;

const namedInLog = 10;
const tellAgainMs = 5 * 60_000;

export async function readOwedTurns(client: Pick<ClientBase, 'query'>): Promise<OwedTurns> {
  const { rows } = await client.query(
    `select oldest_seconds as "oldestSeconds", turns, workspaces, longest
     from overdue_turns(make_interval(secs => $1), $2, $3)`,
    [overdueAfterSeconds, overdueCountedTo, namedInLog],
  );
  return rows[0];
}

/** The messages to members that are due and not sent, in all workspaces. */
export interface DueDeliveries {
  /** How long the oldest has been due; 0 if none is due for longer than `dueAfterSeconds`. */
  oldestSeconds: number;
  /** Counted up to `overdueCountedTo`. */
  deliveries: number;
}

/** A message is sent within seconds of its time; if it is due for longer, something is unavailable or too slow. */
export const dueAfterSeconds = 300;

export async function readDueDeliveries(client: Pick<ClientBase, 'query'>): Promise<DueDeliveries> {
  const { rows } = await client.query(
    `select oldest_seconds as "oldestSeconds", deliveries from due_deliveries(make_interval(secs => $1), $2)`,
    [dueAfterSeconds, overdueCountedTo],
  );
  return rows[0];
}

/** The messages that colleagues have scheduled, whose time has come and which are neither sent nor given up. */
export interface DueScheduledMessages {
  /** How long the oldest has been due; 0 if none is due for longer than `dueAfterSeconds`. */
  oldestSeconds: number;
  /** Counted up to `overdueCountedTo`. */
  messages: number;
}

export async function readDueScheduledMessages(
  client: Pick<ClientBase, 'query'>,
): Promise<DueScheduledMessages> {
  const { rows } = await client.query(
    `select oldest_seconds as "oldestSeconds", messages from due_scheduled_messages(make_interval(secs => $1), $2)`,
    [dueAfterSeconds, overdueCountedTo],
  );
  return rows[0];
}

/** For how long the oldest erasure has had something left to erase, in seconds; 0 without any. */
export async function readOldestErasure(client: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await client.query('select oldest_erasure_seconds() as seconds');
  return rows[0].seconds;
}

/** Logs the workspaces with overdue turns: at once, then every five minutes, and once when there are none left. */
export function notifyOverdueTurns(logger: Logger): (owed: OwedTurns) => void {
  let toldAt: number | undefined;
  return ({ turns, workspaces, longest }) => {
    const now = performance.now();
    if (turns === 0) {
      if (toldAt !== undefined) logger.info('no turn of an agent is overdue any more');
      toldAt = undefined;
    } else if (toldAt === undefined || now - toldAt >= tellAgainMs) {
      toldAt = now;
      logger.warn({ turns, workspaces, longest }, 'turns of agents are overdue');
    }
  };
}
