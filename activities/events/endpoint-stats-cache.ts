/** The lanes of attempts to a receiver and to its host. */
interface EndpointStats {
  lane: string;
  hostLane: string;
  meanDurationMs: number;
}

const unknownMeanMs = 0;

/** What this process knows about receivers, which may be inexact: the database does the counting. */
export class EndpointStatsCache {
  readonly #most: number;
  readonly #byRule = new Map<number, EndpointStats>();
  readonly #byEndpoint = new Map<number, EndpointStats>();

  constructor(most = 10_000) {
    this.#most = most;
  }

  get(ruleId: number): EndpointStats {
    const lane = `rule ${ruleId}`;
    return this.#byRule.get(ruleId) ?? { lane, hostLane: lane, meanDurationMs: unknownMeanMs };
  }

  record(
    ruleId: number,
    { endpointId, hostId, meanDurationMs }: { endpointId: number; hostId: number; meanDurationMs: number },
  ): void {
    // If a rule's receiver was changed, the new receiver gets a lane of its own.
    const first = this.#byRule.has(ruleId) ? `endpoint ${endpointId}` : `rule ${ruleId}`;
    const lane = this.#byEndpoint.get(endpointId)?.lane ?? first;
    const receiver = { lane, hostLane: `host ${hostId}`, meanDurationMs };
    this.#remember(this.#byEndpoint, endpointId, receiver);
    this.#remember(this.#byRule, ruleId, receiver);
  }

  #remember(known: Map<number, EndpointStats>, id: number, receiver: EndpointStats): void {
    known.set(id, receiver);
    if (known.size <= this.#most) return;
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
}
