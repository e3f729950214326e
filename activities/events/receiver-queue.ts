import type { WebhookRef } from '../../domain/events/webhook-deliveries/claim-attempt.js';
import { requestsPerHost, requestsPerReceiver } from '../../domain/events/webhook-deliveries/limits.js';
import { EndpointStatsCache, type ReceiverOfRule } from './endpoint-stats-cache.js';
import { KeyedSemaphore } from './keyed-semaphore.js';

/**
 * Orders the attempts of this process for a receiver, so that they do not all claim at once. It limits nothing: what it
 * knows of receivers may be inexact, and the claim counts the requests of all processes
 * (docs/decisions/0057-room-at-receivers.md).
 */
export class ReceiverQueue {
  readonly #hosts = new KeyedSemaphore(requestsPerHost);
  readonly #urls = new KeyedSemaphore(requestsPerReceiver);
  readonly #stats = new EndpointStatsCache();

  /**
   * Waits for a slot of the receiver's host and then of its URL, because an attempt that waits for the host while it
   * holds a slot of the URL would keep others out. @returns a function that releases both; undefined: none in time
   */
  async enter(
    { ruleId }: WebhookRef,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  ): Promise<(() => void) | undefined> {
    const until = Date.now() + timeoutMs;
    const { urlKey, hostKey, meanDurationMs } = this.#stats.get(ruleId);
    const acquire = (slots: KeyedSemaphore, key: string) =>
      slots.acquire(key, {
        timeoutMs: Math.max(until - Date.now(), 0),
        expectedWaitMs: meanDurationMs / slots.width,
        signal,
      });
    const releaseHost = await acquire(this.#hosts, hostKey);
    if (releaseHost === undefined) return undefined;
    const releaseUrl = await acquire(this.#urls, urlKey);
    if (releaseUrl === undefined) {
      releaseHost();
      return undefined;
    }
    return () => {
      releaseUrl();
      releaseHost();
    };
  }

  /** Records what a claim says about the receiver of its rule. */
  record({ ruleId }: WebhookRef, receiver: ReceiverOfRule): void {
    this.#stats.record(ruleId, receiver);
  }
}
