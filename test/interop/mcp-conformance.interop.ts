import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../api/mcp/catalog/index.js';
import { systemClock } from '../../domain/lib/clock.js';
import { freePort } from '../../tools/dev/provision/ports.js';
import { useOAuth } from '../support/api/use-oauth.js';
import { endsWithTestProcess } from '../support/run/ends-with-test-process.js';
import { installConformance } from './support/conformance-tool.js';
import { runProgram } from './support/run-program.js';
import { startTokenProxy } from './support/token-proxy.js';

const oauth = useOAuth({ clock: systemClock });
const revisions = ['2026-07-28', '2025-11-25'];

describe('the tools', () => {
  let token = '';
  let proxy: Awaited<ReturnType<typeof startTokenProxy>>;
  beforeAll(async () => {
    const scopes = [...new Set(catalog.flatMap((tool) => tool.scopes))];
    const { client } = await oauth.addApplication({ scopes });
    const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
    token = (await oauth.connect(client, asked)).tokens.access_token;
    proxy = await startTokenProxy(oauth.api.baseUrl, () => token);
  });
  afterAll(() => proxy?.stop());

  // The files say why a scenario, or one of its checks, is expected to fail. One that passes although it is listed fails the run, too.
  it.each(revisions)('the official suite for %s finds nothing else', async (revision) => {
    const [program, script] = await installConformance();
    const { code, output } = await runProgram(program, [
      script,
      'server',
      ...['--url', `${proxy.url}/api/v2/mcp`],
      ...['--requirements', revision],
      ...['--expected-failures', `test/interop/mcp/expected-failures-${revision}.yml`],
    ]);
    expect(code, output.slice(-6_000)).toBe(0);
  });
});

/** All that the suite has for authorization servers: both apply. */
const authorization = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

describe('the authorization server', () => {
  it('is asked by all scenarios that the suite has for one', async () => {
    const [program, script] = await installConformance();
    const { output } = await runProgram(program, [script, 'list']);
    const [, listed = ''] = output.split('Authorization server scenarios');
    expect([...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)).toEqual(authorization);
  });

  it.each(revisions)('passes them for %s', async (revision) => {
    const { code, output } = await authorize(revision);
    expect(code, output).toBe(0);
    expect(output).not.toMatch(/FAILURE|WARNING|SKIPPED/i);
    for (const scenario of authorization) expect(output).toContain(`=== Running scenario: ${scenario} ===`);
  });
});

// What else the suite has about authorization does not apply. `auth/…` is for clients of MCP that ask for tokens: the client of
// the service, by which agents call tools of others, has tokens that an admin has stored. Client secrets are sent by the suite
// only to servers without public clients: our own tests sign in with both kinds.

/** Runs the scenarios with a public client, and consents as the person who is sent to the printed address. */
async function authorize(revision: string) {
  const [program, script] = await installConformance();
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const { client } = await oauth.addApplication({ confidential: false, redirectUris: [callback] });
  const args = [
    script,
    'authorization',
    ...['--url', `${oauth.api.baseUrl}/api/v2/oauth`],
    ...['--client-id', client.settings.clientId],
    ...['--resource', client.resource.mcp],
    ...['--port', String(port)],
    ...['--spec-version', revision],
  ];
  const suite = endsWithTestProcess(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const ended = once(suite, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: suite.stdout })) {
    lines.push(line);
    if (!line.startsWith(`${oauth.api.baseUrl}/`) || !line.includes('code_challenge=')) continue;
    const { pathname, search } = new URL(line);
    const end = await client.consent(await oauth.signedIn(), pathname + search, oauth.workspaceId());
    await fetch(end.location ?? '');
  }
  const [code] = await ended;
  return { code, output: lines.join('\n') };
}
