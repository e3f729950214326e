import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { systemClock } from '../../domain/lib/clock.js';
import { useOAuth } from '../support/api/use-oauth.js';
import { endsWithTestProcess } from '../support/run/ends-with-test-process.js';
import { installPythonTools } from './support/python-tools.js';

const oauth = useOAuth({ clock: systemClock });
const { api } = oauth;

/** Runs the client, and consents for it. @returns all that it has told */
async function runClient(mode: string): Promise<Record<string, unknown>> {
  const { client } = await oauth.addApplication({ scopes: ['members:read', 'members:write'] });
  const python = join(await installPythonTools(), 'python');
  const endpoint = `${api.baseUrl}/api/v2/mcp`;
  const args = ['test/interop/mcp/client.py', endpoint, mode, JSON.stringify(client.settings)];
  const child = endsWithTestProcess(spawn(python, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
  const ended = once(child, 'exit');
  const told: Record<string, unknown> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as { asked?: string };
    Object.assign(told, said);
    if (said.asked === undefined) continue;
    const { pathname, search } = new URL(said.asked);
    const end = await client.consent(await oauth.signedIn(), pathname + search, oauth.workspaceId());
    child.stdin.write(`${end.location}\n`);
  }
  const [code] = await ended;
  return { ...told, code };
}

it.each(['auto', 'legacy'])('the Python client (%s) signs in and calls tools', async (mode) => {
  const told = await runClient(mode);
  expect(told).toMatchObject({ code: 0, members: 1, created: 'Ada', deleted: mode === 'auto' });
  expect(told.tools).toContain('list_members');
  expect(new URL(String(told.asked)).searchParams.get('resource')).toBe(`${api.baseUrl}/api/v2/mcp`);
  // Only the client that can ask has asked.
  expect('confirmed' in told).toBe(mode === 'auto');
  const { body } = await oauth.asAdmin('GET', '/members?search=Ada');
  expect(body.total).toBe(mode === 'auto' ? 0 : 1);
});
