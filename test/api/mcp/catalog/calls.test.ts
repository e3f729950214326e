import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathParameterExamples } from '../../../../api/http/demo.js';
import { catalog } from '../../../../api/mcp/catalog/index.js';
import type { Tool } from '../../../../api/mcp/define-tool.js';
import { oauthScopes } from '../../../../domain/identity/oauth/oauth-scopes.js';
import { sendConfirmedMcp } from '../../../support/api/mcp.js';
import { useDemoApi } from '../../../support/api/use-demo-api.js';
import { directRuns } from '../../../support/chats/direct-runs.js';
import { useImportRuns } from '../../../support/people/import-runs.js';

const { api, demo, toolToken } = useDemoApi({
  voice: true,
  runs: (database) => ({ ...directRuns(database), summarizeChat: async () => 'summarized' }),
});

useImportRuns(() => demo);

const titled = catalog.map((tool) => [tool.name, tool] as const);

interface Called {
  status: number;
  challenge: string | null;
  isError: boolean;
  content: unknown;
  text: string;
}

async function call(token: string, name: string, args: object): Promise<Called> {
  const params = { name, arguments: args };
  const { status, headers, body } = await sendConfirmedMcp(api, { token, method: 'tools/call', params });
  const { isError = false, structuredContent, content = [] } = body;
  const text = content.map((part: { text?: string }) => part.text ?? '').join('\n');
  return {
    status,
    challenge: headers.get('WWW-Authenticate'),
    isError: isError || body.error !== undefined,
    content: structuredContent,
    text: text || JSON.stringify(body),
  };
}

/** The arguments of the example of the tool's operation, which works on the demo workspace. */
function exampleOf({ name, route, inputSchema }: Tool): Record<string, unknown> {
  const { params, query, body, file } = route.example ?? {};
  const all: Record<string, unknown> = {
    ...pathParameterExamples,
    ...params,
    ...query,
    ...body,
    ...(file !== undefined && { csv: file }),
    ...others[name],
  };
  const properties = inputSchema.properties as Record<string, unknown>;
  return Object.fromEntries(Object.entries(all).filter(([argument]) => argument in properties));
}

/** Where the example of the operation is of something else. */
const others: Record<string, Record<string, unknown>> = {};

/** The tools that every member may use for its own data, and what all members read. */
const forEveryMember = [
  'get_own_member',
  'list_members',
  'list_member_labels',
  'list_chat_labels',
  'list_data_types',
  'list_data_records',
  'list_files',
  'get_file',
  'search_files',
  'list_sites',
  'list_chats',
  'search_messages',
  'list_assignments',
  'list_workflows',
  'list_phone_calls',
];

/** What is only in the demo clinic, and is of other members than the one who asks. */
const ofOthers = /Kim Sample|Noa Sample|Check-up|Are you open on Saturday/;

describe('with the consent of an admin', () => {
  let token = '';
  beforeAll(async () => {
    token = await toolToken('admin@clinic.example', 'clinic', oauthScopes);
  });

  it.each(titled)('%s answers what its schema promises', async (name, tool) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const { status, isError, content, text } = await call(token, name, exampleOf(tool));
    expect({ status, isError, text: isError ? text : '' }).toEqual({ status: 200, isError: false, text: '' });
    expect(ajv.validate(tool.outputSchema ?? {}, content), JSON.stringify(ajv.errors)).toBe(true);
  });

  it('no answer has an address of bytes that needs no credentials', async () => {
    for (const name of ['list_files', 'get_file', 'get_assignment', 'list_assignments']) {
      const tool = catalog.find((one) => one.name === name) as Tool;
      const { content, text } = await call(token, name, exampleOf(tool));
      expect(JSON.stringify(content) + text, name).not.toMatch(/cdnUrl|signature=/);
    }
  });

  it('a place where the API has two parameters of one meaning takes one', async () => {
    const tool = catalog.find(({ name }) => name === 'place_outbound_call') as Tool;
    expect(Object.keys(tool.inputSchema.properties as object)).not.toContain('chatId');
    const { isError, text } = await call(token, tool.name, { ...exampleOf(tool), chatId: 1 });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('chatId') });
  });
});

describe('with the consent of a member without further permissions', () => {
  let token = '';
  beforeAll(async () => {
    token = await toolToken('member@clinic.example', 'clinic', oauthScopes);
  });

  it.each(titled)('%s neither shows nor changes what is of others', async (name, tool) => {
    const { status, isError, text } = await call(token, name, exampleOf(tool));
    if (forEveryMember.includes(name)) expect({ status, isError }).toEqual({ status: 200, isError: false });
    else expect({ name, refused: status === 403 || isError }).toEqual({ name, refused: true });
    expect(text).not.toMatch(ofOthers);
  });
});

describe('with the consent of an admin of another workspace', () => {
  let token = '';
  beforeAll(async () => {
    token = await toolToken('admin@elsewhere.example', 'elsewhere', oauthScopes);
  });

  it.each(titled)('%s does not find what is in this one', async (name, tool) => {
    const args = exampleOf(tool);
    const { isError, text } = await call(token, name, args);
    if (Object.keys(args).some((argument) => argument.endsWith('_id'))) {
      expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('not_found') });
    }
    expect(text).not.toMatch(ofOthers);
    expect(text).not.toMatch(/Clinic intake|Visit reminder|After your visit/);
  });
});

describe('with a scope that no tool needs', () => {
  let token = '';
  beforeAll(async () => {
    token = await toolToken('admin@clinic.example', 'clinic', ['dm:write']);
  });

  it.each(titled)('%s asks for all of its scopes', async (name, tool) => {
    const { status, challenge } = await call(token, name, exampleOf(tool));
    expect(status).toBe(403);
    expect(challenge).toContain('error="insufficient_scope"');
    const asked = /scope="([^"]*)"/.exec(challenge ?? '')?.[1]?.split(' ') ?? [];
    expect(asked).toEqual(expect.arrayContaining([...tool.scopes]));
  });
});
