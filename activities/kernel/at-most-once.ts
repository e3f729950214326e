import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActOutcome } from '../../domain/kernel/at-most-once.js';
import { DomainError } from '../../domain/lib/errors.js';
import {
  ProviderBusy,
  ProviderFault,
  ProviderOutcomeUnknown,
  ProviderRefused,
  ProviderUnusable,
} from '../../providers/failures.js';

/** An external act that must not be done twice and cannot be undone: an SMS, a mail, a call. */
export interface Act<Claim extends { kind: string }, Result> {
  /** Claims the single attempt. Idempotent for a token, because the answer to the commit may have been lost. */
  claim(token: string): Promise<Claim>;
  /** Calls the provider, once. Fails with one of the errors of `providers/failures.ts`. */
  perform(claim: Claimed<Claim>): Promise<Result>;
  /** Records the outcome for the claim of this token; does nothing if the claim no longer exists. */
  record(outcome: ActOutcome<Result>, claim: Claimed<Claim>, token: string): Promise<void>;
}

type Claimed<Claim extends { kind: string }> = Extract<Claim, { kind: 'claimed' }>;

/** The outcome of the act, or the claim's reason why there was nothing to do. */
export type Performed<Claim extends { kind: string }, Result> =
  | { kind: 'not_claimed'; claim: Exclude<Claim, { kind: 'claimed' }> }
  | Exclude<ActOutcome<Result>, { kind: 'released' }>;

/** How long a claim or a record is retried while the database fails, within one attempt of an activity. */
export const patienceMs = 15_000;
const pausesMs = [100, 250, 500, 1_000, 2_000];

/**
 * Claims the act, performs it and records the outcome. No later attempt takes over the claim of a process that died in
 * between: each kind of act decides how to resolve it.
 * @throws ProviderBusy, ProviderUnusable, ProviderFault when it was certainly not done; the claim was released
 */
export async function performOnce<Claim extends { kind: string }, Result>(
  act: Act<Claim, Result>,
  token: string = randomUUID(),
): Promise<Performed<Claim, Result>> {
  const claim = await persistently(() => act.claim(token));
  if (!isClaimed(claim)) return { kind: 'not_claimed', claim: claim as Exclude<Claim, { kind: 'claimed' }> };
  let outcome: ActOutcome<Result>;
  try {
    outcome = { kind: 'done', result: await act.perform(claim) };
  } catch (error) {
    outcome = outcomeOf(error);
    if (outcome.kind === 'released') {
      await persistently(() => act.record(outcome, claim, token));
      throw error;
    }
  }
  await persistently(() => act.record(outcome, claim, token));
  return outcome as Performed<Claim, Result>;
}

const outcomeNames = { done: 'sent', refused: 'failed', unknown: 'unknown_outcome' } as const;

/** The outcome's name in the result of a run. */
export function outcomeNameOf({ kind }: { kind: keyof typeof outcomeNames }) {
  return outcomeNames[kind];
}

function isClaimed<Claim extends { kind: string }>(claim: Claim): claim is Claimed<Claim> {
  return claim.kind === 'claimed';
}

/** An error that is not a provider's leaves the claim in place, because the outcome is unknown. */
function outcomeOf(error: unknown): Exclude<ActOutcome<never>, { kind: 'done' }> {
  if (error instanceof ProviderRefused) {
    return { kind: 'refused', reason: `${error.provider}_${error.code}`, code: error.code };
  }
  if (error instanceof ProviderOutcomeUnknown) return { kind: 'unknown', code: error.code };
  if (error instanceof ProviderBusy || error instanceof ProviderFault)
    return { kind: 'released', counts: true };
  if (error instanceof ProviderUnusable) return { kind: 'released', counts: false };
  throw error;
}

/** Retries idempotent `work` during a short outage of the database. */
export async function persistently<T>(work: () => Promise<T>, forMs = () => patienceMs): Promise<T> {
  const began = Date.now();
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError || Date.now() - began >= forMs()) throw error;
      await delay(pausesMs[Math.min(tries, pausesMs.length - 1)]);
    }
  }
}
