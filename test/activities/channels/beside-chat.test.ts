import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveryActivities } from '../../../activities/channels/deliveries.js';
import type { ActivityDependencies } from '../../../activities/kernel/dependencies.js';
import { selectOpenDeliveries } from '../../../db/channels/deliveries.js';
import { ProviderBusy, ProviderUnusable } from '../../../providers/failures.js';
import type { EmailRelay } from '../../../providers/mail/email-relay.js';
import { call, runToolCall, Turn } from '../../domain/agent/take-round.js';
import { stageEmails } from '../../support/chats/email-stage.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';
import { addInbox, testInboxDomain } from '../../support/workspace/inboxes.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let clock: MovedClock;
beforeEach(() => {
  clock = new MovedClock();
});

/** Takes the next step of a chat's deliveries, with a mail server that answers with an error. */
function deliverNext(chatId: number, answer: Error) {
  const relay: EmailRelay = { send: () => Promise.reject(answer) };
  const activities = deliveryActivities({
    db: workspace.database,
    clock,
    email: { relay, domain: testInboxDomain },
    webhooks: { encryption: testEncryption },
    publicUrl: 'https://service.example.com',
  } as unknown as ActivityDependencies);
  const input = { workspaceId: workspace.workspaceId, chatId };
  return new MockActivityEnvironment().run(activities.deliverNext, input);
}

const openDeliveries = (chatId: number) => workspace.within((tx) => selectOpenDeliveries(tx, chatId));

/** A chat that is not by email, in which the agent has sent an email. */
async function chatWithEmail(): Promise<number> {
  const { address } = await addInbox(workspace);
  const talk = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', autoNext: true } as const;
  const abilities = [{ abilityType: 'send_email', config: { inbox: address } }];
  const member = await addMember(workspace);
  const staged = await stageAssignment(workspace, { ...talk, abilities }, { member });
  await staged.memberWrites('Please send it by email');
  const { toolCallIds } = await new Turn(staged).run(
    call(['send_email', { subject: 'Visit', text: 'On Monday.' }]),
  );
  await runToolCall(staged, toolCallIds[0] ?? '');
  return staged.chatId;
}

describe.each([
  ['is away', () => new ProviderBusy('mail', 'busy')],
  ['refuses the login', () => new ProviderUnusable('mail', 'login')],
])('an email beside its chat, whose mail server %s', (_what, answer) => {
  it('waits alone, so that messages of the chat are sent meanwhile', async () => {
    const chatId = await chatWithEmail();

    const step = await deliverNext(chatId, answer());

    const [email] = await openDeliveries(chatId);
    expect(email).toMatchObject({ channel: 'email', state: 'queued' });
    expect(Number(email?.notBefore)).toBeGreaterThan(clock.now().getTime());
    expect(step).toMatchObject({ kind: 'wait', until: Number(email?.notBefore) });
    expect(step).not.toHaveProperty('code');
  });
});

describe('an email in a chat by email, whose mail server refuses the login', () => {
  it('makes all messages of the chat wait for the account', async () => {
    const stage = await stageEmails(workspace, clock, { inbox: await addInbox(workspace) });
    await stage.write('Hello');

    const step = await deliverNext(stage.chatId, new ProviderUnusable('mail', 'login'));

    expect(step).toMatchObject({ kind: 'wait', code: 'carrier_unusable' });
    expect(await openDeliveries(stage.chatId)).toMatchObject([{ state: 'queued', notBefore: null }]);
  });
});
