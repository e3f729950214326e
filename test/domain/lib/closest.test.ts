import { describe, expect, it } from 'vitest';
import { suggestion } from '../../../domain/lib/closest.js';
import { processorMs } from '../../support/lib/processor-ms.js';

describe('suggestion', () => {
  it.each([
    ['Asc', ['Ask', 'Done'], '"Ask"'],
    ['nmae', ['id', 'name'], '"name"'],
    ['intke', ['intake', 'take'], '"intake"'],
    ['DONE', ['Done', 'Dome'], '"Done"'],
    ['visit', ['visits', 'visit2', 'visitor'], '"visits" or "visit2"'],
    ['abcdef', ['badcef', 'acbdef'], '"acbdef"'],
  ])('names what is closest to %s in %j', (name, known, closest) => {
    expect(suggestion(name, known)).toBe(`; did you mean ${closest}?`);
  });

  it.each([
    ['x', ['y', 'z'], 'y, z'],
    ['sms', ['web-chat', 'phone-sms'], 'web-chat, phone-sms'],
    ['one', [], 'none'],
    ['z', [...'abcdefghijkl'], 'a, b, c, d, e, f, g, h, i, j and others'],
  ])('lists what is known where nothing is close to %s', (name, known, listed) => {
    expect(suggestion(name, known)).toBe(`; known: ${listed}`);
  });

  it('compares hundreds of long names that are alike in little time', () => {
    const alike = 'x'.repeat(190);
    const known = Array.from({ length: 500 }, (_, at) => `${alike}${at}abcd`);
    const asked = Array.from({ length: 100 }, (_, at) => `${alike}${at}wxyz`);
    const work = () => {
      for (const name of asked) suggestion(name, known);
    };
    expect(processorMs(work)).toBeLessThan(2_000);
  });
});
