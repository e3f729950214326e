import { describe, expect, it } from 'vitest';
import { silenceByte, wavHeader } from '../../../domain/calls/recordings/wav.js';
import { talkativeCaller } from '../../../tools/bench/soak/caller.js';
import { channelOf, loudMs, soundsOn } from '../../../tools/bench/soak/recording.js';
import { silence, speak } from '../../../tools/simulators/support/spoken.js';

describe('the caller of the soak', () => {
  it('speaks at times that add up to those of its script, for as long as it is told to', () => {
    const { script, sayings } = talkativeCaller(2);
    let at = 0;
    const said: { words: string; atMs: number }[] = [];
    for (const step of script.slice(2)) {
      if ('wait' in step) at += step.wait;
      if (!('say' in step) || !('words' in step.say)) continue;
      said.push({ words: step.say.words, atMs: at });
      at += speak(step.say.words).length / 8;
    }
    expect(sayings).toEqual(said);
    expect(sayings.map(({ words }) => words)).toContain('Wait, I meant 3');
    expect(at).toBe(115_000);
    expect(script.at(-1)).toEqual({ hangUp: true });
  });
});

describe('a recording of the soak', () => {
  it('is read as the sounds of each channel, with their times and words', () => {
    const caller = Buffer.concat([silence(100), speak('One'), silence(300), speak('Two')]);
    const agent = Buffer.concat([silence(50), speak('Yes')]);
    const wav = Buffer.alloc(wavHeader(0).length + 2 * caller.length, silenceByte);
    for (const [at, byte] of caller.entries()) wav[wavHeader(0).length + 2 * at] = byte;
    for (const [at, byte] of agent.entries()) wav[wavHeader(0).length + 2 * at + 1] = byte;

    expect(soundsOn(channelOf(wav, 0))).toEqual([
      { atMs: 100, ms: 120, words: 'One' },
      { atMs: 520, ms: 120, words: 'Two' },
    ]);
    expect(loudMs(channelOf(wav, 1))).toBe(120);
  });
});
