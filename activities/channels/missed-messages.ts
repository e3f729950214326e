import { heartbeat } from '@temporalio/activity';
import {
  type ListedSms,
  type MissedMessages,
  takeMissedMessages,
} from '../../domain/conversations/chats/take-missed-messages.js';
import type { Carrier } from '../../providers/carrier/carrier.js';
import { ProviderBusy, ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { beginSlice } from '../kernel/slice.js';

const minutes = (count: number): number => count * 60_000;

/** Newer messages are left to the webhook and the carrier's own retries. */
const webhookGraceMs = minutes(2);
/** How late a message may appear in the carrier's list. */
const listLagMs = minutes(15);
/** The time that one request covers; its messages are held in memory. */
const windowMs = minutes(10);
/** How far back the list is read after an outage of the service. */
const maxMs = minutes(7 * 24 * 60);
/** How long a message that cannot be stored holds back the cursor. */
const insistenceMs = minutes(6 * 60);

/** Where a slice begins. */
export interface MissedSince {
  graceMs?: number;
  /** The time from which on the list is read; absent: that of the cursor. */
  from?: number;
  /** A message could not be stored, which holds back the cursor for this pass. */
  isHeld?: boolean;
}

export interface MissedMessagesPass extends MissedMessages, Sliced<MissedSince> {
  /** `asked`: the list was read up to the present; `more`: the next slice continues. */
  carrier: 'asked' | 'not_configured' | 'unavailable' | 'more';
}

export function missedMessageActivities(dependencies: ActivityDependencies) {
  const { db, clock, logger } = dependencies;

  return {
    /**
     * Stores the messages that the carrier received since the last pass and that its webhook has not delivered. The
     * cursor advances window by window, so that the next pass continues an interrupted one.
     */
    async receiveMissedMessages(since: MissedSince): Promise<MissedMessagesPass> {
      const found: MissedMessagesPass = { listed: 0, taken: 0, failed: 0, carrier: 'not_configured' };
      const { carrier } = dependencies;
      if (carrier === undefined) return found;
      try {
        const next = await slice(carrier, found, since);
        found.carrier = next === undefined ? 'asked' : 'more';
        if (next !== undefined) found.next = next;
      } catch (error) {
        if (!isOfProvider(error)) throw error;
        found.carrier = 'unavailable';
      }
      if (found.taken > 0) logger.warn({ taken: found.taken }, 'messages that no webhook brought were taken');
      return found;
    },
  };

  /** @returns where the next slice begins; undefined: the list was read up to the present */
  async function slice(
    carrier: Carrier,
    found: MissedMessages,
    { graceMs, ...since }: MissedSince,
  ): Promise<MissedSince | undefined> {
    const isOver = beginSlice();
    const end = clock.now().getTime() - (graceMs ?? webhookGraceMs);
    const cursor = (await db.identity.carrierCursors.find(carrier.account))?.getTime() ?? end;
    let taken = Math.max(cursor, end - maxMs);
    let isHeld = since.isHeld ?? false;
    for (let from = since.from ?? taken - listLagMs; from < end; from += windowMs) {
      if (isOver()) return { ...(graceMs === undefined ? {} : { graceMs }), from, isHeld };
      heartbeat();
      const until = Math.min(from + windowMs, end);
      const failed = await window(carrier, new Date(from), new Date(until), found);
      isHeld ||= failed && end - until < insistenceMs;
      if (isHeld) continue;
      taken = Math.max(taken, until);
      await db.identity.carrierCursors.set(carrier.account, new Date(taken), clock.now());
    }
    return undefined;
  }

  /** @returns whether a message could not be stored */
  async function window(carrier: Carrier, since: Date, until: Date, found: MissedMessages): Promise<boolean> {
    const listed: ListedSms[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const answer = await carrier.listInbound({ since, until, ...(page === undefined ? {} : { page }) });
      listed.push(...answer.messages);
      page = answer.nextPage;
      heartbeat();
    }
    const stored = await takeMissedMessages(dependencies, listed, (error, id) => {
      heartbeat();
      const code = error instanceof Error ? error.name : 'unknown';
      logger.error({ carrierMessageId: id, code }, 'a message that came in could not be taken');
    });
    found.listed += stored.listed;
    found.taken += stored.taken;
    found.failed += stored.failed;
    return stored.failed > 0;
  }
}

function isOfProvider(error: unknown): boolean {
  return (
    error instanceof ProviderBusy || error instanceof ProviderUnusable || error instanceof ProviderRefused
  );
}
