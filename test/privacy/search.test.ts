import { describe, expect, it } from 'vitest';
import { type MarkerName, markers, planted } from './markers.js';
import { givenAway } from './search.js';

const names = Object.keys(markers) as MarkerName[];

describe('the search for what was planted', () => {
  it.each(names)('finds %s in a log line, in a payload and in an address', (name) => {
    const value = planted(name);

    expect(givenAway(JSON.stringify({ level: 30, msg: `about ${value}!` }), markers, 'log')).toContain(name);
    expect(givenAway(value.toUpperCase(), markers, 'log')).toContain(name);
    for (const before of ['', 'a', 'ab']) {
      const payload = Buffer.from(`${before}${value}, and more`).toString('base64');
      expect(givenAway(`{"data": "${payload}"}`, markers, 'log')).toContain(name);
    }
  });

  it('finds no more than what is there', () => {
    for (const name of names) expect(givenAway(planted(name), markers, 'log')).toEqual([name]);
    expect(givenAway('{"level":30,"workspaceId":1,"status":200}', markers, 'log')).toEqual([]);
  });

  it('passes over the names that operators are shown, where they are', () => {
    const name = planted('taskName');

    expect(givenAway(name, markers, 'history')).toEqual([]);
    expect(givenAway(name, markers, 'problem')).toEqual([]);
    expect(givenAway(name, markers, 'log')).toEqual(['taskName']);
  });

  it('finds secrets that are made while it goes', () => {
    const secret = { value: 'wes_abc', needles: ['wes_abc'], allowedIn: [] };

    expect(givenAway('Bearer wes_abc', { secret }, 'log')).toEqual(['secret']);
  });
});
