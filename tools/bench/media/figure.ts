import { setTimeout as pause } from 'node:timers/promises';
import { memoryProbe, residentMegabytes } from '../../dev/memory/memory-probe.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import type { Waits } from './load.js';
import { alone, type Calls, openStand } from './stand.js';

/** Calls begin one after the other, so that their segments are stored at different times. */
const beginEveryMs = 300;
/** A response of three minutes, as long as the service asks for. */
const framesOfResponse = 9_000;
const checkEveryMs = 250;
/** Longer than a segment of a recording, so that each call has two. */
const talkSeconds = 35;
/** Twice the usual time: 40,000 frames, of which the slowest percent are 400. */
const timesAsLong = 2;
/** Of frames under way when the process is stopped, none is lost; an interruption may find nothing to clear. */
const maxLostShare = 0.05;

export const mediaFrames: Figure = {
  name: 'media-frames',
  title: 'How long a frame of a call is under way, 100 calls, median',
  unit: 'ms',
  target: { moreAtMost: 1 },
  prepare: byTurns((calls, seconds) => calls.frames(seconds), 'median'),
};

export const mediaFramesSlowest: Figure = {
  name: 'media-frames-p99',
  title: 'The same, p99',
  unit: 'ms',
  target: { ratioAtMost: 2 },
  prepare: byTurns((calls, seconds) => calls.frames(seconds), 'p99'),
};

export const mediaClear: Figure = {
  name: 'media-clear',
  title: 'From the begin of an interruption to the silence of the agent, 100 calls, median',
  unit: 'ms',
  target: { ratioAtMost: 2 },
  prepare: byTurns((calls, seconds) => calls.clears(seconds), 'median'),
};

/**
 * Both processes hold their calls all the time, and one of them is measured, for as long as the other one. What became due for the
 * service's recordings while it was stopped is done before.
 */
function byTurns(
  measure: (calls: Calls, seconds: number) => Promise<Waits>,
  of: 'median' | 'p99',
): Figure['prepare'] {
  return async (stage, { calls: count, seconds }) => {
    const stand = await openStand(stage);
    const [service, relay] = await Promise.all([stand.service(), stand.relay()]);
    await relay.open(count, 0);
    await service.open(count, beginEveryMs);
    const sample = (calls: Calls, other: Calls) => () =>
      alone(other.process, async () => {
        const waits = await measure(calls, seconds * timesAsLong);
        if (waits.lost > waits.count * maxLostShare) throw new Error(`${waits.lost} frames were lost`);
        return waits[of];
      });
    return { floor: sample(relay, service), measured: sample(service, relay) };
  };
}

export const mediaMemory: Figure = {
  name: 'media-memory',
  title: 'Resident memory of a call, more than of a relay',
  unit: 'MB',
  target: { atMost: 3 },
  async prepare(stage, { calls: count }) {
    const stand = await openStand(stage);
    return {
      measured: async () =>
        (await perCall(await stand.service(), count)) - (await perCall(await stand.relay(), count)),
    };
  },
};

/** The peak while calls begin and go on, without a garbage collection that is forced. */
async function perCall(calls: Calls, count: number): Promise<number> {
  const { pid } = calls.process;
  const before = residentMegabytes(pid);
  let peak = before;
  const looking = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, checkEveryMs);
  await calls.open(count, beginEveryMs / 3);
  await calls.hold(talkSeconds);
  clearInterval(looking);
  await calls.process.stop();
  return (peak - before) / count;
}

export const mediaHour: Figure = {
  name: 'media-hour',
  title: 'Growth of the media process by the frames of an hour on both sides',
  unit: 'MB',
  target: { atMost: 2 },
  async prepare(stage: Stage, { frames }) {
    const probe = await memoryProbe();
    const stand = await openStand(stage);
    const service = await stand.service(probe.extras);
    await service.open(1, 0);
    const held = async () => {
      const { heapUsed, external } = await probe.read();
      return (heapUsed + external) / 1_048_576;
    };
    const respond = async () => {
      await service.flood(Math.min(frames, framesOfResponse));
      await service.interrupt();
    };
    return {
      measured: async () => {
        // The first ones compile the code.
        for (let warm = 0; warm < 3; warm += 1) await respond();
        await pause(checkEveryMs);
        const before = await held();
        for (let sent = 0; sent < frames; sent += framesOfResponse) await respond();
        await pause(checkEveryMs);
        return (await held()) - before;
      },
    };
  },
};

export const mediaFigures = [mediaFrames, mediaFramesSlowest, mediaClear, mediaMemory, mediaHour];
