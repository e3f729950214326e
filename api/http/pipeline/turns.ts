import { type TurnName, type TurnTerms, turnTerms } from '../../../domain/kernel/admissions.js';
import { Admission } from '../../../domain/lib/admission.js';
import { addressName } from '../address-name.js';
import { callerOf } from './caller.js';

/** The caller's address, and the workspace in the path. */
export interface Place {
  ip: string;
  params?: { workspace_uuid?: string };
}

/** The slots that one request holds: in the process, and in its account. */
export interface Turn {
  /** The answer is complete: frees the process's slot. */
  made(): void;
  /** The answer is sent: frees the account's slot. */
  sent(): void;
}

/**
 * Has requests of one kind take turns (decision 85). An account waits in a queue of its own first, so that its requests take
 * no room in those of its workspaces. While other callers are active, it pauses after each turn, so that it gets at most
 * half of the event loop.
 */
export class Turns {
  readonly #callers: RecentCallers;
  readonly #maxRestMs: number;
  readonly #accounts: Admission<'account'>;
  readonly #making: Admission<'workspace'>;

  constructor(callers: RecentCallers, { slots, each, maxRestMs, ...waiting }: TurnTerms) {
    const { account, workspace } = each;
    this.#callers = callers;
    this.#maxRestMs = maxRestMs;
    this.#accounts = new Admission<'account'>({ ...waiting, each: { account } });
    this.#making = new Admission<'workspace'>({ ...waiting, slots, each: { workspace } });
  }

  /** Notes a request, with or without a turn: who else is active pauses after its own. */
  note(place: Place, granted: unknown): void {
    this.#callers.note(ownerOf(place, granted));
  }

  /**
   * Waits for a turn of the caller.
   * @param costMs time that the request has already taken
   * @throws ShareExceeded when too many requests of the caller wait, Unavailable when requests of others take too long
   */
  async take(place: Place, granted: unknown, costMs = 0): Promise<Turn> {
    const account = ownerOf(place, granted);
    const leaveAccount = await this.#accounts.wait({ account });
    const leaveMaking = await this.#making
      .wait({ workspace: place.params?.workspace_uuid })
      .catch((error: unknown) => {
        leaveAccount();
        throw error;
      });
    const begunAt = performance.now() - costMs;
    let tookMs = 0;
    return {
      made: () => {
        tookMs = performance.now() - begunAt;
        leaveMaking();
      },
      sent: () => {
        const restMs = this.#callers.hasOthersThan(account) ? Math.min(tookMs, this.#maxRestMs) : 0;
        if (restMs > 0) setTimeout(leaveAccount, restMs);
        else leaveAccount();
      },
    };
  }

  /** Waits for a turn of the caller. @returns a function that ends the turn @throws as `take` */
  async enter(place: Place, granted: unknown): Promise<() => void> {
    const { made, sent } = await this.take(place, granted);
    return () => {
      made();
      sent();
    };
  }
}

/** The turns of a process, by name. */
export function allTurns(callers: RecentCallers): Record<TurnName, Turns> {
  const named = Object.entries(turnTerms).map(([name, terms]) => [name, new Turns(callers, terms)]);
  return Object.fromEntries(named) as Record<TurnName, Turns>;
}

function ownerOf({ ip }: Place, granted: unknown): string {
  return callerOf(granted)?.owner ?? `address:${addressName(ip)}`;
}

interface Recent {
  owner: string;
  at: number;
}

const recentMs = 1_000;

/** Tracks whether other callers have sent requests within the last second. */
export class RecentCallers {
  #latest: Recent | undefined;
  /** The latest request of another owner than `#latest`. */
  #other: Recent | undefined;

  note(owner: string): void {
    if (this.#latest !== undefined && this.#latest.owner !== owner) this.#other = this.#latest;
    this.#latest = { owner, at: performance.now() };
  }

  hasOthersThan(owner: string): boolean {
    const found = this.#latest?.owner === owner ? this.#other : this.#latest;
    return found !== undefined && performance.now() - found.at < recentMs;
  }
}
