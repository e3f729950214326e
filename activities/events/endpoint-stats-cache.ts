import { LRUCache } from 'lru-cache';

/** The receiver of a rule, as a claim read it. */
export interface ReceiverOfRule {
  endpointId: number;
  hostId: number;
  meanDurationMs: number;
}

/** The keys of a receiver's URL and host in the queue, and its mean duration; 0: unknown. */
interface EndpointStats {
  urlKey: string;
  hostKey: string;
  meanDurationMs: number;
}

/** What this process knows of the receivers of rules, from claims. */
export class EndpointStatsCache {
  readonly #byRule: LRUCache<number, EndpointStats>;
  readonly #byEndpoint: LRUCache<number, EndpointStats>;

  constructor(max = 10_000) {
    this.#byRule = new LRUCache({ max });
    this.#byEndpoint = new LRUCache({ max });
  }

  get(ruleId: number): EndpointStats {
    const key = `rule ${ruleId}`;
    return this.#byRule.get(ruleId) ?? { urlKey: key, hostKey: key, meanDurationMs: 0 };
  }

  record(ruleId: number, { endpointId, hostId, meanDurationMs }: ReceiverOfRule): void {
    // Attempts hold slots by the rule's key already; a changed receiver of the rule gets another key.
    const first = this.#byRule.has(ruleId) ? `endpoint ${endpointId}` : `rule ${ruleId}`;
    const urlKey = this.#byEndpoint.get(endpointId)?.urlKey ?? first;
    const stats = { urlKey, hostKey: `host ${hostId}`, meanDurationMs };
    this.#byEndpoint.set(endpointId, stats);
    this.#byRule.set(ruleId, stats);
  }
}
