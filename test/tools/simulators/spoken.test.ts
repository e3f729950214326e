import { describe, expect, test } from 'vitest';
import {
  bytesPerMs,
  cough,
  isLoud,
  silence,
  speak,
  spokenMs,
  understand,
} from '../../../tools/simulators/support/spoken.js';

describe('simulated speech', () => {
  test.each(['Yes.', 'Grüße, 90 % — ok?', '', '日本'])('%j is understood again', (text) => {
    expect(understand(speak(text))).toBe(text);
  });

  test('it takes the time that is told', () => {
    expect(speak('Hello').length).toBe(spokenMs('Hello') * bytesPerMs);
  });

  test('silence and noise around it, also of odd length, do not matter', () => {
    const sound = [silence(33), speak('first'), cough(17), silence(5), speak('second'), cough(100)];
    expect(understand(Buffer.concat(sound))).toBe('firstsecond');
  });

  test('of what is cut off, the beginning is understood, without half a character', () => {
    expect(understand(speak('stop it').subarray(0, spokenMs('stop') * bytesPerMs))).toBe('stop');
    expect(understand(speak('aé').subarray(0, spokenMs('a') * bytesPerMs + 200))).toBe('a');
  });

  test('speech and a cough are loud, silence is not', () => {
    expect([speak('a'), cough(20), silence(20)].map((sound) => isLoud(sound))).toEqual([true, true, false]);
    expect(understand(cough(500))).toBe('');
  });
});
