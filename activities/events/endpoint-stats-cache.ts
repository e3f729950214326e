interface EndpointStats {
  /** The lane of those who send to it, and of those who send to its host. */
  lane: string;
  hostLane: string;
  meanDurationMs: number;
}

const unknownMeanMs = 0;

/**
 * What this process has learnt of the receivers that it sends to: nothing that has to be right, as the database counts.
 * Rules with the same receiver come to share a lane once that is seen.
 */
export class EndpointStatsCache {
  readonly #most: number;
  readonly #byRule = new Map<number, EndpointStats>();
  readonly #byEndpoint = new Map<number, EndpointStats>();

  /** @param most so many are remembered */
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
    // Where a rule is given another receiver, that one is another lane's.
    const first = this.#byRule.has(ruleId) ? `endpoint ${endpointId}` : `rule ${ruleId}`;
    const lane = this.#byEndpoint.get(endpointId)?.lane ?? first;
    const receiver = { lane, hostLane: `host ${hostId}`, meanDurationMs };
    this.#remember(this.#byEndpoint, endpointId, receiver);
    this.#remember(this.#byRule, ruleId, receiver);
  }

  /** The oldest make room. */
  #remember(known: Map<number, EndpointStats>, id: number, receiver: EndpointStats): void {
    known.set(id, receiver);
    if (known.size <= this.#most) return;
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
}
