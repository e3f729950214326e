import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const secret = 'somebody@example.com';
const logger = fileURLToPath(new URL('../../runtime/logger.ts', import.meta.url));

/** Runs a process in which this statement causes an uncaught error. */
async function crash(statement: string): Promise<{ code: number; out: string; err: string }> {
  const program = `
    import { createLogger, endOnCrash } from ${JSON.stringify(logger)};
    endOnCrash(createLogger({ level: 'info', process: 'api' }));
    const error = Object.assign(new Error('about ${secret}'), { code: '23505', detail: '(email)=(${secret})' });
    setInterval(() => undefined, 1_000);
    ${statement}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, out: await out, err: await err };
}

describe('endOnCrash', () => {
  it.each([
    ['thrown in a callback', 'setImmediate(() => { throw error; });'],
    ['in a promise that nobody awaits', 'void Promise.reject(error);'],
  ])('ends the process on an error %s, and logs its code and place', async (_name, statement) => {
    const { code, out, err } = await crash(statement);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ level: 60, process: 'api', code: '23505', msg: 'crashed' });
    expect(out + err).not.toContain(secret);
  });
});
