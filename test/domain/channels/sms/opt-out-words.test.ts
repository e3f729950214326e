import { describe, expect, it } from 'vitest';
import { findKeyword } from '../../../../domain/channels/sms/keywords.js';
import { findOptOutWords } from '../../../../domain/channels/sms/opt-out-words.js';
import { corpora } from './opt-out-corpus/corpora.js';

type Understood = 'opted out' | 'a person is asked' | 'nothing';

function understood(text: string): Understood {
  if (findKeyword(text) === 'stop') return 'opted out';
  const found = findOptOutWords(text, 'sms');
  if (found === null) return 'nothing';
  return found.isClear ? 'opted out' : 'a person is asked';
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const corpus = Object.values(corpora);
const sayings = corpus.flatMap((one) => linesOf(one.sayings));
const nearMisses = corpus.flatMap((one) => linesOf(one.nearMisses));
const shareOf = (texts: readonly string[], wanted: readonly Understood[]) =>
  texts.filter((text) => wanted.includes(understood(text))).length / texts.length;

describe('what people say who want no more messages', () => {
  it('is a corpus of at least 300 sayings in seven languages, and as many near misses', () => {
    expect(corpus).toHaveLength(7);
    expect(new Set(sayings).size).toBeGreaterThanOrEqual(300);
    expect(new Set(nearMisses).size).toBeGreaterThanOrEqual(300);
  });

  it('is understood without a model in 99 of 100 sayings, most of them without asking a person', () => {
    const missed = sayings.filter((text) => understood(text) === 'nothing');
    expect(missed.length / sayings.length, missed.join('\n')).toBeLessThanOrEqual(0.01);
    expect(shareOf(sayings, ['opted out'])).toBeGreaterThanOrEqual(0.8);
  });

  it('is not heard in more than 2 of 100 near misses, and seldom enough to ask a person', () => {
    const wrong = nearMisses.filter((text) => understood(text) === 'opted out');
    expect(wrong.length / nearMisses.length, wrong.join('\n')).toBeLessThanOrEqual(0.02);
    expect(shareOf(nearMisses, ['a person is asked'])).toBeLessThanOrEqual(0.05);
  });
});

describe('findOptOutWords', () => {
  it('names the channel that is meant, and that on which it is said if none is named', () => {
    const channels = (text: string, on: 'sms' | 'email' = 'sms') => findOptOutWords(text, on)?.channels;
    expect(channels('Please stop texting me')).toEqual(['sms']);
    expect(channels('Please stop texting me', 'email')).toEqual(['sms']);
    expect(channels('No more messages please', 'email')).toEqual(['email']);
    expect(channels("Please don't call me again")).toEqual(['calls']);
    expect(channels('Stop calling and texting me')).toEqual(['sms', 'calls']);
    expect(channels('Stop sending me emails')).toEqual(['email']);
    expect(channels('Älkää soittako minulle enää')).toEqual(['calls']);
    expect(channels('Do not contact me again')).toEqual(['sms', 'email', 'calls']);
  });

  it.each([
    "Don't text me before 9",
    'Please stop texting, call me instead.',
    'Do not text me. Call me instead.',
    "Don't call me at work",
    'stop sending me reminders about the gym',
    'Ne m’écrivez plus avant 9 heures',
    'Schreiben Sie mir nicht mehr nachts',
    'No me escriban más por la noche',
    'Skicka inga fler sms på natten',
    'Älkää lähettäkö enää viestejä yöllä',
    'อย่าส่งข้อความมาตอนกลางคืนอีก',
  ])('leaves to a person what is a wish about time, topic or channel: %s', (text) => {
    expect(findOptOutWords(text, 'sms')).toMatchObject({ isClear: false });
  });

  it('finds it among other sentences, and leaves a long text to a person', () => {
    expect(findOptOutWords('Hi! It was nice. Please stop texting me. Bye', 'sms')?.isClear).toBe(true);
    const long = `${'This is my story and it is long. '.repeat(30)}Please stop texting me.`;
    expect(findOptOutWords(long, 'sms')?.isClear).toBe(false);
  });

  it('asks a person about a keyword by email, which may answer a question', () => {
    expect(findOptOutWords('stop', 'email')).toEqual({ channels: ['email'], isClear: false });
    expect(findOptOutWords('no more messages', 'email')).toEqual({ channels: ['email'], isClear: true });
    expect(findOptOutWords('stop everything', 'sms')).toMatchObject({ isClear: true });
  });

  it.each(['me ', 'stop sending ', 'i dont want to get receive ', 'en halua viesteja enaa ', 'plus de vos '])(
    'reads texts of any length in little time: %s',
    (part) => {
      const before = process.cpuUsage();
      findOptOutWords(part.repeat(20_000), 'sms');
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500);
    },
  );
});
