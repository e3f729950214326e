import { beforeEach, describe, expect, it } from 'vitest';
import { selectPendingFollowUps } from '../../../../db/conversations/follow-ups.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { subjectsWaiting } from '../../../../db/outbox.js';
import { queueSms } from '../../../../domain/channels/deliveries/queue-delivery.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { setAccountEnabled } from '../../../../domain/identity/accounts/set-account-enabled.js';
import { setMemberEnabled } from '../../../../domain/people/members/set-member-enabled.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { days, hours } from '../../../support/lib/moved-clock.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { call, reply, Turn } from '../../agent/take-round.js';

const { workspace, database } = useWorkspace();
let member: TestMember;
let phones = 0;

beforeEach(async () => {
  phones += 1;
  member = await addMember(workspace, { values: { phone: `+1202555${2_000 + phones}` } });
});

const accounts = () => workspace.database.identity.accounts;
async function enableAccount(enabled: boolean): Promise<void> {
  const account = await accounts().findById(workspace.admin.accountId);
  const { uuid } = (await accounts().findById(member.accountId)) ?? { uuid: '' };
  if (account === undefined) throw new Error('the admin has no account');
  const credential = {
    kind: 'session',
    id: 1,
    scopes: null,
    workspaceId: null,
    organizationId: null,
    expiresAt: null,
  } as const;
  const superuser = { ...account, isSuperuser: true };
  await setAccountEnabled({ ...workspace.context(), account: superuser, credential }, uuid, { enabled });
}

const ways: [string, (enabled: boolean) => Promise<unknown>][] = [
  ['a member', (enabled) => setMemberEnabled(workspace.context(), member.memberId, enabled)],
  ['an account', enableAccount],
];

describe.each(ways)('disabling %s', (_, setEnabled) => {
  it('holds the turn that is owed and alerts a colleague, until it is undone', async () => {
    const chat = await stageFreeChat(workspace, { member });
    await chat.memberWrites('Hello?');
    await setEnabled(false);

    expect(await chat.advance()).toEqual({ kind: 'idle' });
    expect(await new Turn(chat).prepare()).toEqual({ kind: 'settled', result: { kind: 'nothing_to_say' } });
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'member_disabled' });

    await emptyOutbox(database);
    await setEnabled(true);
    const { uuid } = await chat.chat();
    expect((await workspace.within((tx) => subjectsWaiting(tx, 'answerChat', [uuid]))).has(uuid)).toBe(true);
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  });

  it('holds follow-ups and waits until it is undone', async () => {
    const waiting: RevisionTask = {
      name: 'Pause',
      taskType: 'wait',
      configuration: { for: 'PT2H' },
      autoNext: true,
      children: [{ name: 'Talk', taskType: 'conversation', abilities: [{ abilityType: 'conclude' }] }],
    };
    const staged = await stageAssignment(workspace, waiting, { member });
    const free = await stageFreeChat(workspace, { member });
    await free.memberWrites('Remind me');
    await new Turn(free).run(call(['schedule_follow_up', { after: 'PT2H', instructions: 'Ask' }]));
    await new Turn(free).take(reply('I will'));
    await setEnabled(false);
    staged.clock.advance(days(1));
    free.clock.advance(hours(3));

    const step = await staged.advance();
    expect(step).toMatchObject({ kind: 'wait', taskName: 'Pause' });
    expect(step).not.toHaveProperty('until');
    expect((await staged.assignment()).status).toBe('active');
    expect(await free.advance()).toEqual({ kind: 'idle' });
    expect(await workspace.within((tx) => selectPendingFollowUps(tx, free.chatId))).toHaveLength(1);

    await setEnabled(true);
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
    expect(await free.advance()).toMatchObject({ kind: 'turn' });
  });

  it('blocks SMS until it is undone', async () => {
    const chat = await stageFreeChat(workspace, { member, channel: 'phone-sms' });
    await chat.memberWrites('Hello?');
    const say = () =>
      workspace.within(async (tx) => {
        const message = await insertMessage(tx, {
          chatId: chat.chatId,
          role: 'assistant',
          author: 'agent',
          content: 'Hello',
        });
        return queueSms(tx, await chat.chat(), message, chat.clock.now());
      });
    await setEnabled(false);
    expect(await say()).toBe('member_disabled');

    await setEnabled(true);
    expect(await say()).toBeUndefined();
  });
});
