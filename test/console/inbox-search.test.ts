import { expect, it } from 'vitest';
import { readInboxSearch } from '../../console/inbox/search.js';

it('reads what the address of the inbox says, and leaves out what it does not know', () => {
  const known = { view: 'mine', channel: 'email', reason: 'handoff', search: 'knee' };
  expect(readInboxSearch(known)).toEqual(known);
  expect(readInboxSearch({ view: 'nobody', channel: 7, reason: '', search: ['a'] })).toEqual({});
});
