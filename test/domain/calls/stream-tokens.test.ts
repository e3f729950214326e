import { expect, it } from 'vitest';
import { StreamTokens } from '../../../domain/calls/stream-tokens.js';

const place = { workspaceUuid: 'a0', callUuid: 'b1', attempt: 1 };
const [earlier, current] = ['earlier secret '.repeat(3), 'current secret '.repeat(3)];

it('are the same for the same attempt, and good for nothing else', () => {
  const tokens = new StreamTokens([current]);
  const token = tokens.make(place);
  expect(tokens.make({ ...place })).toBe(token);
  expect(tokens.isFor(token, place)).toBe(true);
  for (const other of [{ attempt: 2 }, { callUuid: 'b2' }, { workspaceUuid: 'a1' }, { callUuid: 'b1\n1' }]) {
    expect(tokens.isFor(token, { ...place, ...other })).toBe(false);
  }
  for (const forged of ['', 'AAAA', `${token}A`, token.slice(1)]) {
    expect(tokens.isFor(forged, place)).toBe(false);
  }
});

it('outlive the change of the secret', () => {
  const token = new StreamTokens([earlier]).make(place);
  expect(new StreamTokens([current, earlier]).isFor(token, place)).toBe(true);
  expect(new StreamTokens([current]).isFor(token, place)).toBe(false);
});
