import { describe, expect, it } from 'vitest';
import { help, readCommand } from '../../../tools/play/commands.js';

describe('a line that is typed to npm run play', () => {
  it.each([
    ['Yes, please', { member: 'Yes, please' }],
    ['/agent How are you?', { agent: { say: 'How are you?' } }],
    ['/choose Better', { agent: { select: 'Better' } }],
    [
      '/call save_data {"town": "Lyon"}',
      { agent: { calls: [{ name: 'save_data', arguments: { town: 'Lyon' } }] } },
    ],
    ['/call handoff', { agent: { calls: [{ name: 'handoff', arguments: {} }] } }],
    ['/next', { clock: 'next' }],
    ['/wait P1D', { clock: 'P1D' }],
    ['/person I am here', { operator: 'I am here' }],
    ['/select Last task', { select: { task: 'Last task' } }],
    ['/pause', { pause: true }],
    ['/resume', { resume: true }],
    ['/cancel', { cancel: {} }],
    ['/cancel Moved away', { cancel: { reason: 'Moved away' } }],
    ['/failed 30003', { carrier: { outcome: 'failed', errorCode: '30003' } }],
    ['/delivered', { carrier: { outcome: 'delivered' } }],
    ['/phone no-answer', { phone: { outcome: 'no-answer' } }],
  ])('adds a step: %s', (line, step) => {
    expect(readCommand(line)).toEqual({ kind: 'step', step });
  });

  it.each(['undo', 'script', 'help', 'quit'])('is the command /%s', (kind) => {
    expect(readCommand(`/${kind}`)).toEqual({ kind });
  });

  it.each([
    ['/toString', 'There is no /toString'],
    ['/agent', 'A text is missing'],
    ['/call', 'The name of a tool is missing'],
    ['/call save_data {town}', 'have to be JSON'],
    ['/wait', 'is missing'],
    ['/phone rings', 'What becomes of calls: answered'],
  ])('is explained where it is wrong: %s', (line, message) => {
    expect(readCommand(line)).toEqual({ kind: 'unknown', message: expect.stringContaining(message) });
  });

  it('is one of those that the help lists', () => {
    const listed = [...help.matchAll(/(?<=[ ;,])\/\w+/g)].map(([command]) =>
      readCommand(`${command} ${command === '/phone' ? 'busy' : '{}'}`),
    );
    expect(listed.length).toBeGreaterThan(12);
    expect(listed.filter(({ kind }) => kind === 'unknown')).toEqual([]);
  });
});
