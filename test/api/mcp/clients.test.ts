import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { TestConsent } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';

const oauth = useOAuth({ clock: systemClock });
const { api } = oauth;
const endpoint = () => new URL(`${api.baseUrl}/api/v2/mcp`);
const identity = { name: 'test', version: '1' };

async function consent(scopes: string[]) {
  const { client } = await oauth.addApplication({ scopes });
  return new TestConsent(client, () => oauth.signedIn(), oauth.workspaceId);
}

describe('the client library', () => {
  it('1.x goes from the challenge over metadata and consent to calling tools', async () => {
    const person = await consent(['members:read', 'members:write']);
    const first = new StreamableHTTPClientTransport(endpoint(), { authProvider: person });
    await expect(new Client(identity).connect(first)).rejects.toThrow('Unauthorized');
    expect(person.asked.searchParams.get('resource')).toBe(endpoint().href);
    await first.finishAuth((await person.allow()).searchParams.get('code') ?? '');

    const client = new Client(identity);
    await client.connect(new StreamableHTTPClientTransport(endpoint(), { authProvider: person }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('list_members');
    const result = await client.callTool({ name: 'list_members', arguments: {} });
    expect(result.structuredContent).toMatchObject({ items: expect.any(Array) });
    await client.close();
  });

  it('2.x goes from the challenge over metadata and consent to calling tools', async () => {
    const person = await consent(['members:read', 'members:write']);
    const first = new ModernTransport(endpoint(), { authProvider: person });
    await expect(new ModernClient(identity, auto).connect(first)).rejects.toThrow();
    await first.finishAuth((await person.allow()).searchParams);

    const client = new ModernClient(identity, auto);
    await client.connect(new ModernTransport(endpoint(), { authProvider: person }));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('list_members');
    const result = await client.callTool({ name: 'list_members', arguments: {} });
    expect(result.structuredContent).toMatchObject({ items: expect.any(Array) });
    await client.close();
  });
});

const auto = { versionNegotiation: { mode: 'auto' as const } };
