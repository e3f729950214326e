import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../api/mcp/catalog/index.js';
import { systemClock } from '../../domain/lib/clock.js';
import { useOAuth } from '../support/api/use-oauth.js';
import { installConformance } from './support/conformance-tool.js';
import { runProgram } from './support/run-program.js';
import { startTokenProxy } from './support/token-proxy.js';

const oauth = useOAuth({ clock: systemClock });
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
it.each(['2026-07-28', '2025-11-25'])('the official suite for %s finds nothing else', async (revision) => {
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
