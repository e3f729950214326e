import { describe, expect, it } from 'vitest';
import { safeCode, safeFrames, safeStack } from '../../runtime/error-codes.js';

const secret = 'somebody';
const lines = `The text is:\n    at ${secret}'s house\n    at 10:30 (${secret})\n  at 10:30:15`;

describe('safeStack', () => {
  it('contains the frames, and no line of the message that looks like a frame', () => {
    const stack = safeStack(new Error(lines));
    expect(stack).toContain('error-codes.test.ts');
    expect(stack).not.toContain(secret);
    expect(stack).not.toContain('10:30');
  });

  it('omits the message that the error had before its message was replaced', () => {
    const error = new Error(lines);
    error.message = `insert into members: ${lines}`;
    expect(safeFrames(error).length).toBeGreaterThan(0);
    expect(safeStack(error)).not.toContain(secret);
  });

  it('omits a message that consists of a line like a frame', () => {
    const error = new Error(`x\n    at ${secret} (/home/${secret}:1:2)`);
    expect(safeStack(error)).toContain('error-codes.test.ts');
    expect(safeStack(error)).not.toContain(secret);
  });

  it('keeps the frames of other realms of Node.js', () => {
    const error = new Error('none');
    const frames = [
      '    at new Promise (<anonymous>)',
      '    at async Promise.all (index 0)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
      '    at async file:///srv/service/dist/api/main.js:10:3',
      '    at Object.execute [as next] (file:///srv/service/dist/api/main.js:10:3)',
      '    at /srv/service/dist/api/main.js:10:3',
    ];
    error.stack = `Error: none\n${frames.join('\n')}`;

    expect(safeFrames(error)).toEqual(frames);
  });
});

describe('safeCode', () => {
  it.each([
    [Object.assign(new Error(secret), { code: '23505' }), '23505'],
    [Object.assign(new RangeError(secret), { code: `no ${secret}` }), 'RangeError'],
    [Object.assign(new Error(secret), { name: `About ${secret}` }), 'internal_error'],
    [secret, 'internal_error'],
  ])('returns for %s a code that quotes nothing', (error, code) => {
    expect(safeCode(error)).toBe(code);
  });
});
