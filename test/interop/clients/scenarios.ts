import {
  createClient,
  ProblemError,
  StreamError,
  verifyWebhook,
} from '../../../clients/typescript/src/index.js';

/** What a scenario is told. `scenarios.py` has the same scenarios. */
export interface Told {
  baseUrl: string;
  apiKey?: string;
  workspaceUuid?: string;
  retries?: number;
  timeoutMs?: number;
  /** The ids of what the test has made. */
  ids?: Record<string, number>;
  texts?: Record<string, string>;
  headers?: Record<string, string>;
}

type Client = ReturnType<typeof createClient>;
type Scenario = (client: Client, told: Required<Pick<Told, 'ids' | 'texts' | 'headers'>>) => Promise<unknown>;

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const scenarios = {
  createMember: async (client, { texts }) => {
    const { id, name } = await client.createMember({ body: { name: texts.name ?? '' } });
    return { id, name };
  },
  createMemberWithWrongFields: (client) =>
    client.createMember({ body: { phone: 5550100, colour: 'blue' } as never }),
  getWorkspace: async (client) => (await client.getWorkspace()).uuid,
  getOtherWorkspace: async (client, { texts }) =>
    (await client.inWorkspace(texts.otherWorkspaceUuid ?? '').getWorkspace()).uuid,
  listMembers: async (client, { texts }) => {
    const search = texts.search ?? '';
    const found = await all(client.each('listMembers', { search, pageSize: 2, sortBy: 'id' }));
    return found.map(({ name }) => name);
  },
  listMembersInLargePages: async (client) => (await all(client.each('listMembers'))).map(({ name }) => name),
  listMessages: async (client, { ids }) => {
    const found = await all(client.each('listChatMessages', { chat_id: ids.chat ?? 0, limit: 2 }));
    return found.map(({ content }) => content);
  },
  listNewestMessage: async (client, { ids }) => {
    const chatId = ids.chat ?? 0;
    const [newest] = await client.listChatMessages({ chat_id: chatId, limit: 1 });
    const { messages, total } = await client.listChatMessages({
      chat_id: chatId,
      limit: 1,
      total_count: true,
    });
    return [newest?.content, messages[0]?.content, total];
  },
  listChats: async (client) => {
    const channel: ('web-chat' | 'phone-sms')[] = ['web-chat', 'phone-sms'];
    return (await client.listChats({ channel, paused: false, search: 'a&b=ü +' })).total;
  },
  upsertRecord: async (client) =>
    client.upsertDataRecord({ data_type_id: 7, external_id: 'a/b ü?', body: { fieldValues: {} } }),
  // A POST that takes no idempotency key.
  signalTyping: async (client, { ids }) => (await client.signalTyping({ chat_id: ids.chat ?? 0 })) ?? null,
  importMembers: async (client, { texts }) =>
    all(client.importMembers({ body: { file: new Blob([texts.csv ?? '']), blankCells: 'keep' } })),
  exportMembers: async (client, { texts }) =>
    (await all(client.exportMembers({ search: texts.search ?? '' }))).join(''),
  followChat: async (client, { ids, texts }) => {
    const seen: string[] = [];
    for await (const { event, data } of client.followChat({ chat_id: ids.chat ?? 0 })) {
      if (event !== 'message.created') continue;
      const content = String(data.message.content);
      seen.push(content);
      if (content === texts.last) break;
    }
    return seen;
  },
  renameChatTwice: async (client, { ids }) => {
    const parameters = { chat_id: ids.chat ?? 0, body: { title: 'Renamed' } };
    const ifMatch = client.etagOf(await client.getChat({ chat_id: parameters.chat_id }));
    await client.updateChat(parameters, { ifMatch });
    return client.updateChat(parameters, { ifMatch });
  },
  verifyWebhook: async (_, { texts, headers }) =>
    (await verifyWebhook(texts.secret ?? '', headers, new TextEncoder().encode(texts.body))).id,
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

/** Runs a scenario in TypeScript. Returns its result, or the error as JSON. */
export async function runTypeScript(name: ScenarioName, told: Told): Promise<unknown> {
  const { ids = {}, texts = {}, headers = {}, ...options } = told;
  try {
    return await (scenarios[name] as Scenario)(createClient(options), { ids, texts, headers });
  } catch (error) {
    if (error instanceof ProblemError) {
      const { status, code, requestId, errors } = error;
      return { error: error.name, status, code, requestId, errors };
    }
    if (error instanceof StreamError)
      return { error: error.name, code: error.code, requestId: error.requestId };
    return { error: (error as Error).name };
  }
}
