import {
  type AdmittedStream,
  admitStream,
  type BeginningStream,
  type StreamAdmission,
} from '../../domain/calls/bridges/admit-stream.js';
import {
  acknowledgeCommand,
  endLease,
  pokeIfUnreported,
  renewEveryMs,
  renewLeases,
} from '../../domain/calls/bridges/lease.js';
import { unreportedForMs } from '../../domain/calls/call-times.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import type { BridgeEnd, BridgeStop, CarrierStream } from '../bridge/ports.js';
import type { SegmentKeeper } from '../recorder/segment-keeper.js';
import { framesPerMs, StreamRecorder } from '../recorder/stream-recorder.js';
import type { RelayLine } from '../relay/ports.js';
import type { RelaySetup, StreamStart } from '../streams/stream-server.js';

/** What joins a call with this process. */
export type JoinedBy = { kind: 'sound'; stream: CarrierStream } | { kind: 'text'; stream: RelayLine };

/** A call whose stream this process holds. */
export interface HeldCall extends AdmittedStream {
  joined: JoinedBy;
  /** When its stream began, by the clock of this process. */
  beganAt: number;
  recorder: StreamRecorder | undefined;
  /** Aborted with a `BridgeStop` when the bridge has to end. */
  signal: AbortSignal;
  /** Aborted when the agent has to say goodbye. */
  hangUp: AbortSignal;
}

export interface CallKeeperOptions {
  context: ServiceContext;
  admission: StreamAdmission;
  segments: SegmentKeeper;
  /** Conducts the call until the bridge ends. */
  conduct(call: HeldCall): Promise<BridgeEnd>;
  /** Milliseconds, monotonic. */
  now(): number;
  onRefused(reason: string): void;
  /** What was thrown, where the call goes on without this process. */
  onFailure(error: unknown): void;
  onEnded(reason: string): void;
  /** After the end of a bridge, when it is looked whether the carrier has reported the end of the call. */
  unreportedForMs?: number;
}

interface Held {
  call: HeldCall;
  stop: AbortController;
  hangUp: AbortController;
  hasEnded: boolean;
}

/** How often the end of a lease is tried; the run finds out by itself after a lease. */
const endAttempts = 3;
/** Workspaces whose leases are renewed at once, so that a slow one does not let those of others run out. */
const checksAtOnce = 4;

/**
 * The calls of this process: it admits their streams, holds their leases while bridges conduct them, passes on what runs
 * want of them, and gives the leases back before it closes the streams.
 */
export class CallKeeper {
  readonly #options: CallKeeperOptions;
  readonly #held = new Map<number, Held>();
  readonly #open = new Set<Promise<void>>();
  /** Ended bridges whose calls are looked at once more. */
  readonly #after = new Set<NodeJS.Timeout>();
  #renewing: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #checksAgain = false;
  #renewedAt: number;

  constructor(options: CallKeeperOptions) {
    this.#options = options;
    this.#renewedAt = options.now();
  }

  /** The calls that are held or being admitted. */
  get size(): number {
    return this.#open.size;
  }

  /** How long ago the leases were last renewed. */
  get sinceRenewedMs(): number {
    return this.#options.now() - this.#renewedAt;
  }

  start(): void {
    this.#renewing ??= setInterval(() => this.look(), renewEveryMs);
  }

  /** Takes over a stream that has just begun. */
  admit(start: StreamStart, stream: CarrierStream): void {
    this.#admit(start, { kind: 'sound', stream });
  }

  /** Takes over a session of text that has just begun. */
  admitText(setup: RelaySetup, stream: RelayLine): void {
    this.#admit(setup, { kind: 'text', stream });
  }

  #admit(start: BeginningStream, joined: JoinedBy): void {
    const taking = this.#take(start, joined, this.#options.now())
      .catch((error) => {
        this.#options.onFailure(error);
        joined.stream.close();
      })
      .finally(() => this.#open.delete(taking));
    this.#open.add(taking);
  }

  /** Renews the leases, and looks for commands; at most one look is under way, and one waits. */
  look(): void {
    if (this.#looking !== undefined) {
      this.#checksAgain = true;
      return;
    }
    this.#looking = this.#checkAll().finally(() => {
      this.#looking = undefined;
      if (!this.#checksAgain) return;
      this.#checksAgain = false;
      this.look();
    });
  }

  /** Ends the calls that are left; their carriers come back to another process. */
  stopAll(): void {
    for (const { stop } of this.#held.values()) stop.abort('drained' satisfies BridgeStop);
  }

  /** Resolves when no call is held. */
  async ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
    // The runs of these calls look themselves, a little later.
    for (const timer of this.#after) clearTimeout(timer);
    this.#after.clear();
    clearInterval(this.#renewing);
    this.#renewing = undefined;
    await this.#looking;
  }

  async #take(start: BeginningStream, joined: JoinedBy, beganAt: number): Promise<void> {
    const { context, admission, conduct, onRefused, onEnded, onFailure } = this.#options;
    const { stream } = joined;
    const hasSound = joined.kind === 'sound';
    const admitted = await admitStream(context, { ...start, hasSound }, admission);
    if ('refused' in admitted) {
      onRefused(admitted.refused);
      stream.close();
      return;
    }
    const [stop, hangUp] = [new AbortController(), new AbortController()];
    const recorder = this.#recorderOf(admitted, beganAt);
    const signals = { signal: stop.signal, hangUp: hangUp.signal };
    const call: HeldCall = { ...admitted, joined, beganAt, recorder, ...signals };
    const held: Held = { call, stop, hangUp, hasEnded: false };
    this.#held.set(admitted.bridgeId, held);
    let reason = 'failed';
    try {
      reason = (await conduct(call)).reason;
    } catch (error) {
      onFailure(error);
    }
    held.hasEnded = true;
    await this.#end(call, reason);
    this.#held.delete(admitted.bridgeId);
    this.#checkAfter(call);
    onEnded(reason);
    stream.close();
    // Its last segments are on their way then, which the process awaits at its end.
    void recorder?.finish();
  }

  #recorderOf(admitted: AdmittedStream, beganMs: number): StreamRecorder | undefined {
    const { recording, workspaceId, workspaceUuid, attempt } = admitted;
    if (recording === undefined) return undefined;
    const startFrame = Math.round(recording.streamBeganMs * framesPerMs);
    const place = { workspaceId, workspaceUuid, recordingId: recording.id, attempt, startFrame };
    const { segments, now } = this.#options;
    return new StreamRecorder({
      now,
      beganMs,
      store: (segment, release) => segments.keep(place, segment, release),
    });
  }

  /** Before the stream is closed, so that the carrier's next question finds that the call is held no more. */
  async #end(call: HeldCall, reason: string): Promise<void> {
    for (let attempt = 1; attempt <= endAttempts; attempt += 1) {
      try {
        await endLease(this.#options.context, call, reason);
        return;
      } catch (error) {
        if (attempt === endAttempts) this.#options.onFailure(error);
      }
    }
  }

  /** A run that waits is not poked by each end: most are reported, and a poke is an Action. */
  #checkAfter({ workspaceId, callId, attempt }: HeldCall): void {
    const { context, onFailure, unreportedForMs: afterMs = unreportedForMs } = this.#options;
    const timer = setTimeout(() => {
      this.#after.delete(timer);
      pokeIfUnreported(context, { workspaceId, callId, attempt }).catch(onFailure);
    }, afterMs);
    timer.unref();
    this.#after.add(timer);
  }

  async #checkAll(): Promise<void> {
    const workspaces = new Set([...this.#held.values()].map(({ call }) => call.workspaceId));
    const left = workspaces.values();
    let failed = false;
    const takeTurns = async (): Promise<void> => {
      for (const workspaceId of left) {
        try {
          await this.#checkWorkspace(workspaceId);
        } catch (error) {
          // The call goes on: it ends when another attempt has begun, which the next look finds.
          failed = true;
          this.#options.onFailure(error);
        }
      }
    };
    await Promise.all(Array.from({ length: checksAtOnce }, takeTurns));
    if (!failed) this.#renewedAt = this.#options.now();
    for (const { call } of this.#held.values()) call.recorder?.tick();
  }

  async #checkWorkspace(workspaceId: number): Promise<void> {
    const { context, admission } = this.#options;
    // Those that are admitted meanwhile are not among the renewed ones.
    const before = [...this.#held.values()].filter(({ call }) => call.workspaceId === workspaceId);
    const leases = await renewLeases(context, workspaceId, admission.processId);
    const commands = new Map(leases.map(({ bridgeId, command }) => [bridgeId, command]));
    for (const { call, stop, hangUp, hasEnded } of before) {
      if (hasEnded) continue;
      const command = commands.get(call.bridgeId);
      if (command === undefined) stop.abort('superseded' satisfies BridgeStop);
      if (command == null) continue;
      await acknowledgeCommand(context, workspaceId, call.bridgeId);
      if (command === 'hang_up') hangUp.abort();
      else stop.abort('commanded' satisfies BridgeStop);
    }
  }
}
