import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryRow } from '../../../../db/channels/deliveries.js';
import { liveOutreach } from '../../../../domain/calls/live-outreach.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import {
  recordDeliveryNews,
  recordStatusCallback,
} from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../../domain/conversations/chats/post-message.js';
import { receiveSms } from '../../../../domain/conversations/chats/receive-sms.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import { createMember } from '../../../../domain/people/members/create-member.js';
import { stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { subscribeToAllEvents } from '../../../support/webhooks/event-rules.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';
import { createWorkspace, type TestWorkspace, uniquePhone } from '../../../support/workspace/factories.js';

const testDatabase = useDatabase();
let silent: TestWorkspace;
let listening: TestWorkspace;
beforeAll(async () => {
  [silent, listening] = [
    await createWorkspace(testDatabase.database),
    await createWorkspace(testDatabase.database),
  ];
  await subscribeToAllEvents(listening);
});

/** What is to be done in a workspace, once it is prepared. */
type Stage = (workspace: TestWorkspace) => Promise<() => Promise<unknown>>;

const clock = new MovedClock();
const refOf = ({ workspaceId }: TestWorkspace, { id }: DeliveryRow) => ({ workspaceId, deliveryId: id });
const sending = async (workspace: TestWorkspace) => {
  const context = { db: workspace.database, clock };
  const staged = await stageDeliveries(workspace, clock);
  const { delivery, message } = await staged.write('Good morning');
  await claimDelivery(context, refOf(workspace, delivery), randomUUID());
  const news = { state: 'sent', carrierMessageId: 'SM1' } as const;
  const take = () => recordDeliveryNews(context, refOf(workspace, delivery), 1, news);
  const receipt = (carrierStatus: string, errorCode = '30005') =>
    recordStatusCallback(context, {
      workspaceId: workspace.workspaceId,
      messageUuid: message.uuid,
      attempt: 1,
      carrierMessageId: 'SM1',
      carrierStatus,
      ...(carrierStatus === 'delivered' ? {} : { errorCode }),
    });
  return { take, receipt };
};

/** The path, and how many statements it takes more where rules of all types listen. */
const paths: [path: string, more: number, Stage][] = [
  [
    'an SMS of a member',
    1,
    async (workspace) => {
      const { number, member } = await stageDeliveries(workspace, clock);
      const sms = { carrierMessageId: `SM${randomUUID()}`, from: member.row.phone ?? '', to: number };
      return () =>
        receiveSms({ db: workspace.database, clock, outreach: liveOutreach }, { ...sms, body: 'Hello' });
    },
  ],
  [
    'a message that is posted',
    1,
    async (workspace) => {
      const { id: chatId } = await createChat(workspace.context(), { channel: 'web-chat' });
      return () => postMessage(workspace.context(), { chatId, content: 'Hello' });
    },
  ],
  [
    'an answer in a web chat',
    1,
    async (workspace) => {
      const { id: chatId } = await createChat(workspace.context(), { channel: 'web-chat' });
      return () => sendAssistantMessage(workspace.context(), { chatId, message: 'Hello', toolCalls: [] });
    },
  ],
  [
    'an SMS that is queued',
    0,
    async (workspace) => {
      const staged = await stageDeliveries(workspace, clock);
      return () => staged.write('Good morning');
    },
  ],
  ['an SMS that the carrier takes', 3, async (workspace) => (await sending(workspace)).take],
  [
    'a receipt of arrival',
    0,
    async (workspace) => {
      const { take, receipt } = await sending(workspace);
      await take();
      return () => receipt('delivered');
    },
  ],
  [
    'a receipt of failure',
    3,
    async (workspace) => {
      const { take, receipt } = await sending(workspace);
      await take();
      return () => receipt('undelivered');
    },
  ],
  [
    'an assignment that begins',
    2,
    async (workspace) => {
      const { workflowId } = await publishDefinition(workspace, conversationTasks());
      return () => createChat(workspace.context(), { channel: 'web-chat', workflowId });
    },
  ],
  [
    'a new member',
    1,
    async (workspace) => {
      const values = { phone: uniquePhone(), memberRoleId: workspace.roles.member.id };
      return () => createMember(workspace.context(), values);
    },
  ],
  [
    'a chat that is archived',
    1,
    async (workspace) => {
      const { id } = await createChat(workspace.context(), { channel: 'web-chat' });
      return () => updateChat(workspace.context(), id, { archived: true });
    },
  ],
];

describe.each(paths)('%s', (_path, more, stage) => {
  it('asks nothing about events where no rule listens', async () => {
    const statements = await statementsOf(await stage(silent));
    expect(statements.filter((text) => /\bevent_rules\b|\binto events\b/.test(text))).toEqual([]);
    expect(await statementsOf(await stage(listening))).toHaveLength(statements.length + more);
  });
});
