import { describe, expect, it } from 'vitest';
import type { Simulation } from '../../../domain/simulation/entries.js';
import { differencesOf } from '../../../tools/play/compare-with-expectation.js';

const at = new Date('2030-01-07T09:00:00Z');
const walk: Simulation = {
  entries: [
    { kind: 'entered', by: 'automatic', task: 'Ask', at },
    { kind: 'message', from: 'agent', text: 'How are you?', task: 'Ask', at, step: 0 },
    { kind: 'timer_set', until: at, task: 'Wait', at, step: 1 },
  ],
  status: 'active',
  outcome: null,
  outcomeReason: null,
  currentTask: 'Wait',
  needsResponse: false,
  needsResponseReason: null,
  waitsFor: { task: 'Wait', what: 'waits for the time to come', until: at },
  endsAt: at,
  script: [],
};

describe('the walk that a file expects', () => {
  it('is the one that took place, with other entries between', () => {
    const expected = {
      status: 'active',
      needsResponse: false,
      waitsFor: { what: '/time to come$/', until: '2030-01-07T09:00:00.000Z' },
      entries: [
        { kind: 'entered' as const, task: 'Ask' },
        { kind: 'timer_set' as const, until: '2030-01-07T09:00:00.000Z' },
      ],
      never: [{ kind: 'concluded' as const }],
    };
    expect(differencesOf(walk, expected)).toEqual([]);
  });

  it('differs by a field', () => {
    expect(differencesOf(walk, { status: 'completed', outcome: 'good' })).toEqual([
      'status is "active", not "completed"',
      'outcome is null, not "good"',
    ]);
    const { waitsFor: _, ...ended } = walk;
    expect(differencesOf(ended, { waitsFor: { task: 'Wait' } })).toEqual([
      'waitsFor.task is undefined, not "Wait"',
    ]);
  });

  it('lacks an entry, also one that comes in another order', () => {
    const entries = [{ kind: 'timer_set' as const }, { kind: 'message' as const, text: '/^How/' }];
    expect(differencesOf(walk, { entries })).toEqual([
      'lacks the entry {"kind":"message","text":"/^How/"} after {"kind":"timer_set"}',
    ]);
    expect(differencesOf(walk, { entries: [...entries].reverse() })).toEqual([]);
  });

  it('has an entry that it must not have', () => {
    expect(differencesOf(walk, { never: [{ kind: 'entered', task: 'Ask' }] })).toEqual([
      'has the entry {"kind":"entered","task":"Ask"}',
    ]);
  });
});
