import type { Claim, WebhookRef } from '../../domain/events/webhook-deliveries/claim-attempt.js';
import { requestsPerHost, requestsPerReceiver } from '../../domain/events/webhook-deliveries/limits.js';
import { Admission } from '../../domain/lib/admission.js';
import { EndpointStatsCache, type ReceiverOfRule } from './endpoint-stats-cache.js';

/** There is no room for an attempt now. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';

  constructor(readonly reason: 'receiver_busy' | 'workspace_busy') {
    super(reason);
  }
}

/** An attempt that waits for room at its receiver. */
interface Waiting {
  ref: WebhookRef;
  /** Set once the attempt before it claims for it; undefined then: it could not. */
  claiming?: Promise<Claim | undefined>;
}

/** What an attempt has that may go on. */
export interface Room {
  leave: () => void;
  /** Made by the attempt before it. */
  claim?: Claim | undefined;
}

/**
 * Orders the attempts of this process for a receiver, so that they do not all claim at once. It limits nothing: what it
 * knows of receivers may be inexact, and the claim counts the requests of all processes
 * (docs/decisions/0057-room-at-receivers.md).
 */
export class ReceiverQueue {
  readonly #receivers = new Admission({
    each: { host: requestsPerHost, url: requestsPerReceiver },
    refuse: () => new QueueFull('receiver_busy'),
  });
  readonly #stats = new EndpointStatsCache();
  /** Those that wait, by the key of their host, in their order. */
  readonly #lines = new Map<string, Set<Waiting>>();

  /** Waits for room at the receiver, or until an attempt before it has claimed for it. @throws QueueFull if neither comes in time */
  async enter(ref: WebhookRef, patience: { timeoutMs: number; signal: AbortSignal }): Promise<Room> {
    const { hostKey, urlKey, meanDurationMs } = this.#stats.get(ref.ruleId);
    const terms = { ...patience, defaultMs: meanDurationMs };
    const waiting: Waiting = { ref };
    const line = this.#lines.get(hostKey) ?? new Set();
    this.#lines.set(hostKey, line.add(waiting));
    let leave = () => {};
    try {
      leave = await this.#receivers.wait({ host: hostKey, url: urlKey }, terms);
    } catch (error) {
      if (waiting.claiming === undefined) throw error;
    } finally {
      line.delete(waiting);
      if (line.size === 0) this.#lines.delete(hostKey);
    }
    return { leave, claim: await waiting.claiming };
  }

  /**
   * Does `work`, which may claim for the attempt that waits behind one of this rule: for none if there is none, or one for
   * another rule of the host has its turn.
   */
  async withNext<Result>(
    { ruleId }: WebhookRef,
    work: (next: WebhookRef | undefined) => Promise<{ result: Result; claim?: Claim }>,
  ): Promise<Result> {
    const [first] = [...(this.#lines.get(this.#stats.get(ruleId).hostKey) ?? [])].filter(isUnclaimed);
    if (first?.ref.ruleId !== ruleId) return (await work(undefined)).result;
    const working = work(first.ref);
    first.claiming = working.then(
      ({ claim }) => claim,
      () => undefined,
    );
    return (await working).result;
  }

  /** Records what a claim says about the receiver of its rule. */
  record({ ruleId }: WebhookRef, receiver: ReceiverOfRule): void {
    this.#stats.record(ruleId, receiver);
  }
}

const isUnclaimed = ({ claiming }: Waiting) => claiming === undefined;
