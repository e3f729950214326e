import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addRecords } from '../../support/records/add-records.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { startWebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import {
  addMember,
  createWorkspace,
  type TestMember,
  type TestWorkspace,
} from '../../support/workspace/factories.js';
import type { PreparedRequest, Service } from './attack.js';
import type { Asked, Asking } from './programs/neighbour.js';
import { startProgram } from './programs/start-program.js';
import type { AttackedService } from './service.js';

export interface Neighbour {
  /** A key of it that was let in before any attack. */
  apiKey: string;
  /** Asks for what people ask for all the time, at a steady pace, from a process of its own. */
  ask(count: number): Promise<Asked>;
  /** How long each of so many services took, one after the other, in milliseconds. */
  use(service: Service, times: number): Promise<number[]>;
  stop(): Promise<void>;
}

/** Each of four people asks some 17 times a second, a third of what a credential may. */
const everyMs = 60;
/** Three times what a phase of the usual length takes. */
const withinMs = 15_000;

export async function startNeighbour({ system, api }: AttackedService): Promise<Neighbour> {
  const workspace = await createWorkspace(system.database);
  const program = startProgram<Asking, Asked>(new URL('./programs/neighbour.ts', import.meta.url));
  const requests = await everydayRequests(workspace);
  const chat = await chatWithAgent(workspace, api.url);
  const webhooks = await receivedWebhooks(workspace, api.url);
  const services: Record<Service, () => Promise<void>> = { chat, webhooks: webhooks.happen };
  return {
    apiKey: workspace.admin.apiKey,
    ask: (count) => program.ask({ url: api.url, requests, count, everyMs, withinMs }),
    async use(service, times) {
      const took: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const begun = performance.now();
        await services[service]();
        took.push(performance.now() - begun);
      }
      return took;
    },
    async stop() {
      await Promise.all([program.stop(), webhooks.close()]);
    },
  };
}

async function everydayRequests(workspace: TestWorkspace): Promise<PreparedRequest[]> {
  const { admin, member } = workspace;
  const [front, desk] = await Promise.all([
    addMember(workspace, { role: workspace.roles.admin, scopes: ['members:read'] }),
    addMember(workspace, { role: workspace.roles.admin, scopes: ['data:read'] }),
  ]);
  for (let more = 0; more < 25; more += 1) await addMember(workspace, { role: workspace.roles.member });
  const type = await visits(workspace);
  const [record] = await addRecords(workspace, type.id, [{ fieldValues: { reason: 'A sore knee' } }]);
  if (record === undefined || record.status === 'failed') throw new Error('there is no record');
  const chat = await createChat(workspace.context(member), { channel: 'web-chat' });
  return [
    requestAs(admin, 'GET', '/account'),
    requestAs(front, 'GET', workspace.path('/members')),
    requestAs(desk, 'GET', workspace.path(`/data-types/${type.id}/records/${record.record.id}`)),
    requestAs(member, 'POST', workspace.path(`/chats/${chat.id}/messages`), { content: 'See you tomorrow' }),
  ];
}

function visits(workspace: TestWorkspace, slug = 'visits') {
  const fields = [{ slug: 'reason', name: 'Reason', fieldType: 'text' }];
  return createDataType(workspace.context(), { name: 'Visits', slug, isCollection: true, fields });
}

async function chatWithAgent(workspace: TestWorkspace, url: string): Promise<() => Promise<void>> {
  const described = { name: 'Assistant', instructions: 'Be brief.' };
  const { memberId: assistantMemberId } = await createAssistant(workspace.context(), described);
  const { member } = workspace;
  const made = { channel: 'web-chat', memberId: member.memberId, assistantMemberId } as const;
  const chat = await createChat(workspace.context(), made);
  const path = workspace.path(`/chats/${chat.id}/messages`);
  let written = 0;
  return async () => {
    written += 1;
    const text = `Question ${written}.`;
    await answerTo(url, requestAs(member, 'POST', path, { content: text }));
    await waitFor(`the agent answers “${text}”`, async () => {
      const newest = await answerTo(url, requestAs(member, 'GET', `${path}?limit=1`));
      return newest.includes(`You wrote: ${text}`);
    });
  };
}

async function receivedWebhooks(workspace: TestWorkspace, url: string) {
  const receiver = await startWebhookReceiver();
  await addEventRule(workspace, { eventType: 'data_record:created', url: receiver.url() });
  const type = await visits(workspace, 'told');
  const path = workspace.path(`/data-types/${type.id}/records`);
  let happened = 0;
  return {
    async happen(): Promise<void> {
      happened += 1;
      await answerTo(url, requestAs(workspace.admin, 'POST', path, { fieldValues: { reason: 'Again' } }));
      await waitFor('the receiver is told', () => receiver.received().length >= happened);
    },
    close: () => receiver.close(),
  };
}

/** The text that a request is answered with. @throws when it is refused */
async function answerTo(url: string, { method, path, headers, body }: PreparedRequest): Promise<string> {
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const answer = await fetch(`${url}/api/v2${path}`, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}

function requestAs(
  { apiKey }: TestMember,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): PreparedRequest {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}
