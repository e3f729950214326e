import type { WebhookRef } from '../../domain/events/webhook-deliveries/claim-attempt.js';
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

  /** Waits for room at the receiver. @returns a function that gives it back @throws QueueFull if there is none in time */
  enter({ ruleId }: WebhookRef, patience: { timeoutMs: number; signal: AbortSignal }): Promise<() => void> {
    const { hostKey, urlKey, meanDurationMs } = this.#stats.get(ruleId);
    return this.#receivers.wait({ host: hostKey, url: urlKey }, { ...patience, defaultMs: meanDurationMs });
  }

  /** Records what a claim says about the receiver of its rule. */
  record({ ruleId }: WebhookRef, receiver: ReceiverOfRule): void {
    this.#stats.record(ruleId, receiver);
  }
}
