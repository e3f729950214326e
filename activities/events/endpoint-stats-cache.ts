/** The receiver of a rule, as a claim read it. */
export interface ReceiverOfRule {
  endpointId: number;
  hostId: number;
  meanDurationMs: number;
}

/** The keys of a receiver's URL and host in semaphores, and its mean duration; 0: unknown. */
interface EndpointStats {
  urlKey: string;
  hostKey: string;
  meanDurationMs: number;
}

/** What this process knows of the receivers of rules, from claims. */
export class EndpointStatsCache {
  readonly #most: number;
  readonly #byRule = new Map<number, EndpointStats>();
  readonly #byEndpoint = new Map<number, EndpointStats>();

  constructor(most = 10_000) {
    this.#most = most;
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
    this.#remember(this.#byEndpoint, endpointId, stats);
    this.#remember(this.#byRule, ruleId, stats);
  }

  #remember(known: Map<number, EndpointStats>, id: number, stats: EndpointStats): void {
    known.set(id, stats);
    if (known.size <= this.#most) return;
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
}
