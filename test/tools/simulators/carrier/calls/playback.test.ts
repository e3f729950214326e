import { describe, expect, test } from 'vitest';
import { Playback } from '../../../../../tools/simulators/carrier/calls/playback.js';

const audio = (from: number, to: number) =>
  Buffer.from(Array.from({ length: to - from }, (_, place) => from + place));

describe('Playback', () => {
  test('plays what it was given in order, in pieces of any size', () => {
    const playback = new Playback();
    playback.add(audio(0, 3));
    playback.add(audio(3, 10));
    expect(playback.play(4)).toEqual({ audio: audio(0, 4), marks: [] });
    expect(playback.play(100)).toEqual({ audio: audio(4, 10), marks: [] });
    expect(playback.play(100)).toEqual({ audio: audio(0, 0), marks: [] });
    expect(playback.bytes).toBe(0);
  });

  test('reaches a mark with the last byte before it, and at once with nothing before it', () => {
    const playback = new Playback();
    expect(playback.mark('start')).toEqual(['start']);
    playback.add(audio(0, 4));
    expect(playback.mark('middle')).toEqual([]);
    playback.add(audio(4, 8));
    expect(playback.mark('end')).toEqual([]);
    expect(playback.mark('again')).toEqual([]);
    expect(playback.play(3).marks).toEqual([]);
    expect(playback.play(1).marks).toEqual(['middle']);
    expect(playback.play(8)).toEqual({ audio: audio(4, 8), marks: ['end', 'again'] });
  });

  test('drops what is left, and gives the marks in it back', () => {
    const playback = new Playback();
    playback.add(audio(0, 4));
    playback.mark('one');
    playback.add(audio(4, 8));
    playback.mark('two');
    playback.play(2);
    expect(playback.clear()).toEqual({ bytes: 6, marks: ['one', 'two'] });
    expect(playback.clear()).toEqual({ bytes: 0, marks: [] });
    playback.add(audio(8, 9));
    expect(playback.play(8)).toEqual({ audio: audio(8, 9), marks: [] });
  });
});
