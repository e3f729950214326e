import { expect, it, onTestFinished } from 'vitest';
import { silenceByte } from '../../../domain/calls/recordings/wav.js';
import { StreamRecorder } from '../../../media/recorder/stream-recorder.js';
import type { Segment } from '../../../media/recorder/tape.js';
import type { CarrierSocket } from '../../../media/streams/carrier-socket.js';
import { StreamServer, streamPath } from '../../../media/streams/stream-server.js';
import { freePort } from '../../../tools/dev/provision/ports.js';
import { speech } from '../../../tools/simulators/carrier/calls/mulaw.js';
import { simulatedCalls } from '../../support/simulators/simulated-calls.js';
import { useCalls } from '../../tools/simulators/carrier/calls/simulated-calls.js';

const calls = useCalls();
const bytesPerMs = 8;

/** Records a stream, and answers the caller's first words at length, its second ones by a clear and, after a thought, a few words. */
function answering(stream: CarrierSocket, recorder: StreamRecorder): void {
  const say = (ms: number) => {
    for (let left = ms; left > 0; left -= 200) {
      const payload = speech(Math.min(200, left)).toString('base64');
      recorder.spoke(payload);
      stream.sendAudio(payload);
    }
  };
  let turns = 0;
  let wasLoud = false;
  stream.listen({
    audio(payload, timestampMs) {
      recorder.heard(payload, timestampMs);
      const isLoud = Buffer.from(payload, 'base64').some((byte) => byte !== silenceByte);
      if (isLoud && !wasLoud) turns += 1;
      if (isLoud && !wasLoud && turns === 1) say(3_000);
      if (isLoud && !wasLoud && turns === 2) {
        recorder.cleared();
        stream.clear();
        setTimeout(() => say(500), 200);
      }
      wasLoud = isLoud;
    },
    key() {},
    marked() {},
    ended() {},
  });
}

/** When something is heard on a track, and for how long, in milliseconds; shorter pauses than a frame are none. */
function sounds(track: Buffer): { at: number; ms: number }[] {
  const found: { at: number; end: number }[] = [];
  track.forEach((byte, index) => {
    if (byte === silenceByte) return;
    const last = found.at(-1);
    if (last !== undefined && index - last.end <= 20 * bytesPerMs) last.end = index;
    else found.push({ at: index, end: index });
  });
  return found.map(({ at, end }) => ({ at: at / bytesPerMs, ms: (end - at + 1) / bytesPerMs }));
}

it('is in step with what the carrier heard and played, to within 40 ms, also when the line stalls', async () => {
  const port = await freePort();
  const publicUrl = `ws://127.0.0.1:${port}`;
  const segments: Segment[] = [];
  const store = async (segment: Segment) => void segments.push(segment);
  let recorder: StreamRecorder | undefined;
  const server = new StreamServer({
    publicUrl,
    carrier: calls.carrier,
    limits: { sockets: 5, beforeStart: 5, startWithinMs: 5_000 },
    mayBegin: () => true,
    admitText: (_, line) => line.close(),
    admit(_, stream) {
      recorder = new StreamRecorder({ now: () => performance.now(), store, segmentMs: 1_000 });
      answering(stream, recorder);
    },
    onRefused: (reason) => expect.unreachable(reason),
    onFailure: (error) => expect.unreachable(String(error)),
  });
  await server.listen(port, '127.0.0.1');
  onTestFinished(() => server.close());
  calls.service.answer('/handler', `<Connect><Stream url="${publicUrl}${streamPath}"/></Connect>`);
  await calls.plan({
    speed: 1,
    script: [
      { untilStream: 1 },
      { wait: 300 },
      { say: { ms: 400 } },
      { stall: 300 },
      { wait: 600 },
      { drop: 10 },
      { wait: 500 },
      { say: { ms: 300 } },
      { wait: 900 },
      { hangUp: true },
    ],
  });
  await calls.dial();
  const { sid, alerts } = await calls.ended();
  await recorder?.finish();
  const recorded = Buffer.concat(segments.map(({ bytes }) => bytes));
  const channel = (number: number) => recorded.filter((_, index) => index % 2 === number);
  const truth = await simulatedCalls(calls.url).audio(sid);

  const sides = [
    { side: 'caller', heard: sounds(truth.said), found: sounds(Buffer.from(channel(0))), turns: 2 },
    { side: 'agent', heard: sounds(truth.played), found: sounds(Buffer.from(channel(1))), turns: 2 },
  ];
  for (const { side, heard, found, turns } of sides) {
    expect({ side, heard: heard.length, found: found.length }).toEqual({ side, heard: turns, found: turns });
    for (const [index, { at, ms }] of heard.entries()) {
      expect(Math.abs((found[index]?.at ?? 0) - at)).toBeLessThanOrEqual(40);
      expect(Math.abs((found[index]?.ms ?? 0) - ms)).toBeLessThanOrEqual(40);
    }
  }
  expect(alerts).toEqual([]);
});
