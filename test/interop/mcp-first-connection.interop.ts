import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { systemClock } from '../../domain/lib/clock.js';
import { TestConsent } from '../support/api/mcp.js';
import { TestOAuthClient } from '../support/api/oauth-client.js';
import { useOAuth } from '../support/api/use-oauth.js';
import { temporaryFolder } from '../support/lib/temporary-folder.js';
import { endsWithTestProcess } from '../support/run/ends-with-test-process.js';
import { installNpmTool } from './support/npm-tool.js';
import { installPythonTools } from './support/python-tools.js';

// Clients that know nothing but the address, as with `npm start`. The tests are their person alone.
const oauth = useOAuth({ clock: systemClock, registration: true });
const { api } = oauth;
const endpoint = () => `${api.baseUrl}/api/v2/mcp`;

/** Opens the address to which a client sends its person, and allows what it asks. @returns where the browser ends */
async function allow(address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const person = new TestOAuthClient(api, { clientId: 'unknown', redirectUri: '' });
  const end = await person.consent(await oauth.signedIn(), pathname + search, oauth.workspaceId());
  if (end.location === undefined) throw new Error(`${end.status} ${end.text}`);
  return end.location;
}

const addressIn = (text: string) => /https?:[^\s"]+\/oauth\/authorize\?[^\s"]+/.exec(text)?.[0];

/**
 * Runs a program whose person is sent to an address that it says.
 * @param comeBack what follows when the browser has been sent back
 * @returns what it has said
 */
async function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  comeBack: (child: ChildProcess, location: string) => unknown,
): Promise<{ code: unknown; output: string }> {
  const child = endsWithTestProcess(spawn(command, args, { ...options, stdio: 'pipe' }));
  const ended = once(child, 'close');
  let output = '';
  let asked: Promise<unknown> | undefined;
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
    const address = addressIn(output.slice(0, output.lastIndexOf('\n') + 1));
    if (address === undefined || asked !== undefined) return;
    asked = allow(address).then((location) => comeBack(child, location));
    asked.catch(() => child.kill());
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const [code] = await ended;
  await asked;
  return { code, output };
}

const answers = (child: ChildProcess, location: string) => child.stdin?.write(`${location}\n`);

it.each(['auto', 'legacy'])('the SDK for Python (%s) registers, signs in and calls tools', async (mode) => {
  const python = join(await installPythonTools(), 'python');
  const { code, output } = await run(python, ['test/interop/mcp/client.py', endpoint(), mode], {}, answers);
  expect(code, output).toBe(0);
  const told = Object.assign(
    {},
    ...output.split('\n').flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : [])),
  );
  expect(told).toMatchObject({ members: 1, created: 'Ada', deleted: mode === 'auto' });
  expect(told.tools).toContain('list_members');
  expect(new URL(told.asked).searchParams.get('resource')).toBe(endpoint());
  // Only the client that can ask has asked.
  expect('confirmed' in told).toBe(mode === 'auto');
  const { body } = await oauth.asAdmin('GET', '/members?search=Ada');
  expect(body.total).toBe(mode === 'auto' ? 0 : 1);
});

/** The provider of a program that keeps what it is given, as the guides of the SDK have it. */
class RegisteringProvider extends TestConsent {
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types for the same fields
  #registered: any;

  constructor() {
    const client = new TestOAuthClient(api, {
      clientId: 'unknown',
      redirectUri: 'http://localhost:8090/callback',
    });
    super(client, () => oauth.signedIn(), oauth.workspaceId);
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  override clientInformation(): any {
    return this.#registered;
  }

  saveClientInformation(registered: object): void {
    this.#registered = registered;
  }
}

const identity = { name: 'test', version: '1' };

it('the SDK 1.x for TypeScript registers, signs in and calls tools', async () => {
  const authProvider = new RegisteringProvider();
  const first = new StreamableHTTPClientTransport(new URL(endpoint()), { authProvider });
  await expect(new Client(identity).connect(first)).rejects.toThrow('Unauthorized');
  await first.finishAuth((await authProvider.allow()).searchParams.get('code') ?? '');

  const client = new Client(identity);
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint()), { authProvider }));
  const result = await client.callTool({ name: 'list_members', arguments: { pageSize: 1 } });
  expect(result.structuredContent).toMatchObject({ items: [expect.anything()] });
  await client.close();
});

it('the SDK 2.x for TypeScript registers, signs in and calls tools', async () => {
  const authProvider = new RegisteringProvider();
  const auto = { versionNegotiation: { mode: 'auto' as const } };
  const first = new ModernTransport(new URL(endpoint()), { authProvider });
  await expect(new ModernClient(identity, auto).connect(first)).rejects.toThrow();
  await first.finishAuth((await authProvider.allow()).searchParams);

  const client = new ModernClient(identity, auto);
  await client.connect(new ModernTransport(new URL(endpoint()), { authProvider }));
  const result = await client.callTool({ name: 'list_members', arguments: { pageSize: 1 } });
  expect(result.structuredContent).toMatchObject({ items: [expect.anything()] });
  await client.close();
});

const page = readFileSync('docs/mcp.md', 'utf8');

it('the Inspector lists tools and calls one, with the commands of docs/mcp.md', async () => {
  const [program, script] = await installNpmTool(
    '@modelcontextprotocol/inspector@2.12.0',
    'clients/launcher/build/index.js',
  );
  const lines = page.replaceAll('\\\n', ' ').match(/^npx @modelcontextprotocol\/inspector .*$/gm) ?? [];
  expect(lines).toHaveLength(2);
  const [list = [], call = []] = lines.map((line) =>
    line.replace('http://127.0.0.1:3000/api/v2/mcp', endpoint()).split(/\s+/).slice(2),
  );
  // What a person's machine has: a home, a place for secrets, and a browser, which is the test.
  const env = {
    ...process.env,
    HOME: temporaryFolder(),
    MCP_INSPECTOR_SECRET_STORE: 'file',
    BROWSER: 'true',
    MCP_AUTO_OPEN_ENABLED: 'true',
    VITEST: undefined,
  };
  const inspect = (args: string[]) =>
    run(program, [script, ...args], { env }, (_child, location) => fetch(location));

  const listed = await inspect(list);
  expect(listed.code, listed.output).toBe(0);
  expect(listed.output).toContain('"list_members"');
  const called = await inspect(call);
  expect(called.code, called.output).toBe(0);
  expect(called.output).toContain(oauth.workspace.admin.memberUuid);
  // The token is kept.
  expect(addressIn(called.output)).toBeUndefined();
});

it('a token and a first call come about by hand, with the commands of docs/mcp.md', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.data'));
  writeFileSync(join(folder, '.data/dev.json'), JSON.stringify({ baseUrl: api.baseUrl }));
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  expect(blocks).toHaveLength(2);

  const { code, output } = await run('bash', ['-ec', blocks.join('\n')], { cwd: folder }, answers);

  expect(code, output).toBe(0);
  expect(output).toContain('"structuredContent":{"items":[');
});
