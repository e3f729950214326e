import { describe, expect, it } from 'vitest';
import type { CarrierStream } from '../../../media/bridge/ports.js';
import type { RelayEvents, RelayLine } from '../../../media/relay/ports.js';
import { SpeakingIndicator, watchLine, watchSound } from '../../../media/sessions/speaking-indicator.js';
import type { RealtimeEvent, RealtimeModel, RealtimeSession } from '../../../providers/realtime/realtime.js';
import { FakeClock } from '../bridge/fake-clock.js';

/** 20 ms of µ-law. */
const frame = Buffer.alloc(160).toString('base64');

function stage() {
  const clock = new FakeClock();
  const told: string[] = [];
  const speakers = new SpeakingIndicator(clock, (speaker, active) => told.push(`${speaker} ${active}`));
  return { clock, told, speakers };
}

/** A call by sound, of which the carrier and the model do nothing. */
async function bySound() {
  const { clock, told, speakers } = stage();
  const sent: string[] = [];
  const stream = {
    streamId: 'MZ1',
    carrierCallId: 'CA1',
    bufferedBytes: 7,
    listen: () => sent.push('listen'),
    sendAudio: (payload: string) => sent.push(payload),
    sendMark: (name: string) => sent.push(name),
    clear: () => sent.push('clear'),
    pause: () => sent.push('pause'),
    resume: () => sent.push('resume'),
    close: () => sent.push('close'),
  } as unknown as CarrierStream;
  let give: (event: RealtimeEvent) => void = () => {};
  const model: RealtimeModel = {
    async connect(_settings, take) {
      give = take;
      return {} as RealtimeSession;
    },
  };
  const watched = watchSound(stream, model, speakers);
  const taken: string[] = [];
  await watched.model.connect({} as never, ({ type }) => taken.push(type), new AbortController().signal);
  return {
    clock,
    told,
    sent,
    taken,
    speakers,
    stream: watched.stream,
    give: (event: object) => give(event as never),
  };
}

describe('who speaks in a call by sound', () => {
  it('is told once for many frames, and the end when they have been played', async () => {
    const { clock, told, sent, stream } = await bySound();
    for (let n = 0; n < 50; n += 1) stream.sendAudio(frame);
    clock.move(1_000);
    expect(told).toEqual(['agent true']);
    clock.move(500);
    expect(told).toEqual(['agent true', 'agent false']);
    expect(sent).toHaveLength(50);
  });

  it('does not take a short pause between two pieces for an end', async () => {
    const { clock, told, stream } = await bySound();
    stream.sendAudio(frame);
    clock.move(300);
    stream.sendAudio(frame);
    clock.move(300);
    expect(told).toEqual(['agent true']);
  });

  it('ends for the agent as soon as it is interrupted', async () => {
    const { clock, told, stream, give, taken } = await bySound();
    for (let n = 0; n < 50; n += 1) stream.sendAudio(frame);
    give({ type: 'speech_started', itemId: 'a', atMs: 0 });
    stream.clear();
    give({ type: 'speech_stopped', itemId: 'a', atMs: 900 });
    clock.move(5_000);
    expect(told).toEqual(['agent true', 'member true', 'agent false', 'member false']);
    expect(taken).toEqual(['speech_started', 'speech_stopped']);
  });

  it('is nobody once the model is lost, or the call has ended', async () => {
    const { clock, told, speakers, stream, give } = await bySound();
    give({ type: 'speech_started', itemId: 'a', atMs: 0 });
    give({ type: 'closed', code: 'lost' });
    stream.sendAudio(frame);
    speakers.ended();
    clock.move(5_000);
    expect(told).toEqual(['member true', 'member false', 'agent true', 'agent false']);
  });

  it('leaves the stream as it is', async () => {
    const { stream, sent } = await bySound();
    stream.sendMark('1.1');
    stream.pause();
    stream.resume();
    stream.listen({} as never);
    stream.close();
    expect(sent).toEqual(['1.1', 'pause', 'resume', 'listen', 'close']);
    expect(stream).toMatchObject({ streamId: 'MZ1', carrierCallId: 'CA1', bufferedBytes: 7 });
  });
});

describe('who speaks in a call by text', () => {
  it('is what the carrier tells, and passed on', () => {
    const { told, speakers } = stage();
    let events: RelayEvents | undefined;
    const line = { listen: (given: RelayEvents) => (events = given) } as unknown as RelayLine;
    const passed: string[] = [];
    watchLine(line, speakers).listen({
      interrupted: () => passed.push('interrupted'),
      speaking: (who: string, isOn: boolean) => passed.push(`${who} ${isOn}`),
    } as never);
    events?.speaking('agent', true);
    events?.interrupted({ heard: 'Good', afterMs: 300 });
    events?.speaking('caller', true);
    events?.speaking('caller', false);
    expect(told).toEqual(['agent true', 'agent false', 'member true', 'member false']);
    expect(passed).toEqual(['agent true', 'interrupted', 'caller true', 'caller false']);
  });
});
