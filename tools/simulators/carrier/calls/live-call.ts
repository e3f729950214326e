import { once, setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { handsetOf, sipCodes } from './call-fields.js';
import { CallReports } from './call-reports.js';
import { type Call, type CallSettings, type FinalStatus, type Instructions, isFinal } from './call-store.js';
import type { Exchange } from './exchange.js';
import { follow, type ScriptedCall } from './follow-script.js';
import type { JoinedSocket } from './joined-socket.js';
import { Line } from './line.js';
import type { Plan } from './plan.js';

/** Of how many calls the audio is kept for tests. */
const keptCalls = 50;

/** A call that has not ended: what it waits for, its line once it is answered, and its stream while it has one. */
export class LiveCall implements ScriptedCall {
  readonly call: Call;
  readonly exchange: Exchange;
  readonly plan: Plan;
  readonly reports: CallReports;
  readonly #over = new AbortController();
  readonly #maxSeconds: number;
  stream: JoinedSocket | undefined;
  line: Line | undefined;
  keypad: ((digit: string) => void) | undefined;
  heardMs = 0;
  #turn = new AbortController();
  #redirectedTo: Instructions | undefined;
  #limit: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange, call: Call, { plan, settings }: { plan: Plan; settings: CallSettings }) {
    this.call = call;
    this.exchange = exchange;
    this.plan = plan;
    this.reports = new CallReports(exchange, call, settings);
    this.#maxSeconds = settings.maxSeconds;
    setMaxListeners(0, this.#over.signal);
    exchange.live.set(call.sid, this);
    exchange.sender.closing.addEventListener('abort', this.#cease, { once: true });
  }

  /** Aborts when the call ends. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  get handset(): string {
    return handsetOf(this.call);
  }

  /** Waits; a millisecond of a faster call is shorter. @throws when the call ends */
  async rest(ms: number): Promise<void> {
    await delay(ms / (this.plan.speed ?? 1), undefined, { signal: this.over });
  }

  /** The line is there from now on, and the person begins with what it is told to do. */
  answer(): void {
    if (this.line !== undefined || this.over.aborted) return;
    const { store } = this.exchange;
    this.line = new Line(this.plan.speed ?? 1, (said) => this.#frame(said));
    this.line.start();
    store.change(this.call, { answeredAt: new Date().toISOString() });
    store.setStatus(this.call, 'in-progress');
    this.reports.status('in-progress');
    this.#limit = setTimeout(() => this.end('completed'), this.#maxSeconds * 1_000);
    this.exchange.beside(follow(this, this.plan.script ?? []));
  }

  begin(stream: JoinedSocket): void {
    const { streams } = this.exchange;
    this.stream = stream;
    streams.set(this.call.sid, [...(streams.get(this.call.sid) ?? []), stream]);
    const [oldest] = streams.keys();
    if (streams.size > keptCalls && oldest !== undefined) streams.delete(oldest);
  }

  /** Resolves when the call has ended. */
  async ended(): Promise<void> {
    if (!this.over.aborted) await once(this.over, 'abort');
  }

  /** What a redirect by the API interrupts: the instructions that are being followed. */
  nextTurn(): AbortSignal {
    this.#turn = new AbortController();
    setMaxListeners(0, this.#turn.signal);
    return AbortSignal.any([this.#turn.signal, this.over]);
  }

  redirect(instructions: Instructions): void {
    this.#redirectedTo = instructions;
    this.#turn.abort();
  }

  /** Where the API has redirected the call since it was last asked. */
  takeRedirect(): Instructions | undefined {
    const instructions = this.#redirectedTo;
    this.#redirectedTo = undefined;
    return instructions;
  }

  warn(code: number, message: string): void {
    this.exchange.store.note(this.call, 'alerts', { code, message });
  }

  /** Ends the call and reports it; once. */
  end(status: FinalStatus, sipCode: number = sipCodes[status]): void {
    if (isFinal(this.call.status)) return;
    const { store } = this.exchange;
    const endedAt = new Date();
    const { answeredAt } = this.call;
    const answeredMs = answeredAt === null ? null : endedAt.getTime() - Date.parse(answeredAt);
    // The carrier rounds up.
    const durationSeconds = answeredMs === null ? null : Math.max(1, Math.ceil(answeredMs / 1_000));
    store.change(this.call, { endedAt: endedAt.toISOString(), durationSeconds, sipCode });
    store.setStatus(this.call, status);
    this.#cease();
    this.reports.status(status, {
      CallDuration: String(durationSeconds ?? 0),
      Duration: String(Math.ceil((durationSeconds ?? 0) / 60)),
      SipResponseCode: String(sipCode),
    });
    this.exchange.beside(this.#bill(durationSeconds));
  }

  readonly #cease = (): void => {
    clearTimeout(this.#limit);
    this.line?.stop();
    this.#over.abort();
    this.exchange.live.delete(this.call.sid);
    this.exchange.sender.closing.removeEventListener('abort', this.#cease);
  };

  #frame(said: Buffer): void {
    if (this.stream !== undefined) this.heardMs += this.stream.frame(said);
  }

  async #bill(durationSeconds: number | null): Promise<void> {
    const { knobs, sender, store } = this.exchange;
    const { billedAfterMs, pricePerMinute } = knobs.of(this.handset);
    if (billedAfterMs === null) return;
    if (billedAfterMs > 0) await delay(billedAfterMs, undefined, { signal: sender.closing });
    const minutes = Math.ceil((durationSeconds ?? 0) / 60);
    store.change(this.call, { price: `-${(minutes * pricePerMinute).toFixed(5)}` });
  }
}
