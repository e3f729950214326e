import { describe, expect, it } from 'vitest';
import { type MarkerName, markers, planted } from './markers.js';
import { givenAway } from './search.js';

const names = Object.keys(markers) as MarkerName[];

describe('the search for markers', () => {
  it.each(names)('finds %s in a log line, a payload and an address', (name) => {
    const value = planted(name);

    expect(givenAway(JSON.stringify({ level: 30, msg: `about ${value}!` }), markers, 'log')).toContain(name);
    expect(givenAway(value.toUpperCase(), markers, 'log')).toContain(name);
    for (const before of ['', 'a', 'ab']) {
      const payload = Buffer.from(`${before}${value}, and more`).toString('base64');
      expect(givenAway(`{"data": "${payload}"}`, markers, 'log')).toContain(name);
    }
  });

  it('reports only markers that are present', () => {
    for (const name of names) expect(givenAway(planted(name), markers, 'log')).toEqual([name]);
    expect(givenAway('{"level":30,"workspaceId":1,"status":200}', markers, 'log')).toEqual([]);
  });

  it('ignores names that operators may see, in the places where they may see them', () => {
    const name = planted('taskName');

    expect(givenAway(name, markers, 'history')).toEqual([]);
    expect(givenAway(name, markers, 'problem')).toEqual([]);
    expect(givenAway(name, markers, 'log')).toEqual(['taskName']);
  });

  it('finds secrets that are created during the run', () => {
    const secret = { value: 'wes_abc', needles: ['wes_abc'], allowedIn: [] };

    expect(givenAway('Bearer wes_abc', { secret }, 'log')).toEqual(['secret']);
  });
});
