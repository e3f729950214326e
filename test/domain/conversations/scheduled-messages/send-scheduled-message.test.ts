import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../../db/database.js';
import { insertMemberRole } from '../../../../db/people/member-roles.js';
import type { Tx } from '../../../../db/tx.js';
import {
  cancelMessageOfRun,
  cancelScheduledMessage,
} from '../../../../domain/conversations/scheduled-messages/cancel-scheduled-message.js';
import { getScheduledMessage } from '../../../../domain/conversations/scheduled-messages/read-scheduled-messages.js';
import { scheduleMessage } from '../../../../domain/conversations/scheduled-messages/schedule-message.js';
import { sendScheduledMessage } from '../../../../domain/conversations/scheduled-messages/send-scheduled-message.js';
import { updateScheduledMessage } from '../../../../domain/conversations/scheduled-messages/update-scheduled-message.js';
import { deleteFile } from '../../../../domain/files/files/delete-file.js';
import { Actor } from '../../../../domain/kernel/actor.js';
import { alertColleague } from '../../../../domain/kernel/alert-colleague.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { deleteMember } from '../../../../domain/people/members/delete-member.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { type AddFile, addFile } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { hours, minutes } from '../../../support/lib/moved-clock.js';
import { actorOf, addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { reply, Turn } from '../../agent/take-round.js';

const { database, workspace } = useWorkspace();

let chat: FreeChat;
beforeEach(async () => {
  chat = await stageFreeChat(workspace);
});

const inside = <T>(work: (tx: Tx) => Promise<T>) =>
  database.database.inWorkspace(workspace.workspaceId, work);

/** Schedules a message in two hours; by the admin unless told. */
const schedule = (by: CommandContext = chat.colleague, more: { files?: number[]; message?: string } = {}) =>
  scheduleMessage(by, {
    chatId: chat.chatId,
    message: 'How are you today?',
    sendAt: new Date(chat.clock.now().getTime() + hours(2)).toISOString(),
    toolCalls: [],
    ...more,
  });
const step = (scheduledMessageId: number, db: Database = database.database) =>
  sendScheduledMessage({ db, clock: chat.clock }, { workspaceId: workspace.workspaceId, scheduledMessageId });
const read = (id: number) => getScheduledMessage(chat.colleague, chat.chatId, id);
const said = async () =>
  (await chat.messages()).filter(({ role }) => role === 'assistant').map(({ content }) => content);

function add(file: AddFile = {}) {
  const store = createMemoryStore();
  onTestFinished(() => store.close());
  return addFile(workspace, store, file);
}

/** A colleague of its own, acting by its session. */
async function addColleague() {
  const permissions = ['chats:admin', 'chats:read'] as const;
  const member = await addMember(workspace, { permissions });
  const context = { ...chat.colleague, actor: actorOf(workspace, { member, permissions }) };
  return { member, context };
}

describe('sendScheduledMessage', () => {
  it('waits for the time, sends as the colleague, takes the chat over, and does nothing more', async () => {
    const { id, sendAt } = await schedule();
    expect(await step(id)).toEqual({ kind: 'wait', until: sendAt.getTime() });
    expect(await said()).toEqual([]);

    chat.clock.advance(hours(2));
    expect(await step(id)).toEqual({ kind: 'ended', outcome: 'sent' });
    expect(await step(id)).toEqual({ kind: 'ended', outcome: 'sent' });

    const [message, ...more] = await chat.messages();
    expect(more).toEqual([]);
    const { memberId } = workspace.admin;
    expect(message).toMatchObject({
      role: 'assistant',
      author: 'person',
      memberId,
      content: 'How are you today?',
    });
    expect(await read(id)).toMatchObject({
      state: 'sent',
      messageUuid: message?.uuid,
      settledAt: chat.clock.now(),
      failureReason: null,
    });
    expect(await chat.chat()).toMatchObject({ paused: true, pausedReason: 'operator_reply' });
  });

  it('is harmless at a time that was changed meanwhile, and sends at the new one', async () => {
    const { id } = await schedule();
    const later = new Date(chat.clock.now().getTime() + hours(5));
    await updateScheduledMessage(chat.colleague, chat.chatId, id, { sendAt: later.toISOString() });

    chat.clock.advance(hours(2));
    expect(await step(id)).toEqual({ kind: 'wait', until: later.getTime() });
    chat.clock.advance(hours(3));
    expect(await step(id)).toMatchObject({ outcome: 'sent' });
    expect(await said()).toHaveLength(1);
  });

  it('sends nothing of what was rolled back by a crash, and then all of it once', async () => {
    const { id } = await schedule();
    chat.clock.advance(hours(2));
    const dying = {
      inWorkspace: (workspaceId: number, work: (tx: Tx) => Promise<unknown>) =>
        database.database.inWorkspace(workspaceId, async (tx) => {
          await work(tx);
          throw new Error('the process dies before its commit');
        }),
    } as unknown as Database;

    await expect(step(id, dying)).rejects.toThrow('dies');
    expect(await said()).toEqual([]);
    expect(await read(id)).toMatchObject({ state: 'pending' });

    await Promise.all(Array.from({ length: 5 }, () => step(id)));
    expect(await said()).toEqual(['How are you today?']);
  });

  it('is gone with a row that was deleted', async () => {
    const { id } = await schedule();
    await inside((tx) => tx('scheduled_messages').where({ id }).delete());
    expect(await step(id)).toEqual({ kind: 'ended', outcome: 'gone' });
  });
});

describe('a scheduled message that cannot be sent', () => {
  const ofMember = (member: TestMember, change: object) =>
    inside((tx) => tx('members').where({ id: member.memberId }).update(change));

  it.each<[string, string, (author: TestMember) => Promise<unknown>]>([
    [
      'its author has lost the permission',
      'author_not_allowed',
      async (author) => {
        const values = {
          name: 'Reader',
          permissions: ['chats:read'],
          useAdmin: false,
          manageWorkspace: false,
        };
        const role = await inside((tx) => insertMemberRole(tx, values, new Date()));
        await ofMember(author, { member_role_id: role.id });
      },
    ],
    [
      'its author is disabled',
      'author_not_allowed',
      (author) => ofMember(author, { disabled_at: new Date() }),
    ],
    [
      'its author was deleted',
      'author_not_allowed',
      (author) => ofMember(author, { deleted_at: new Date() }),
    ],
    [
      'the account of its author is disabled',
      'author_not_allowed',
      ({ accountId }) =>
        inside((tx) => tx('identity.accounts').where({ id: accountId }).update({ enabled: false })),
    ],
    [
      'the support access of its author has ended',
      'author_not_allowed',
      ({ memberId: member_id }) =>
        inside((tx) =>
          tx('identity.memberships')
            .where({ workspace_id: tx.workspaceId, member_id })
            .update({ is_support: true, support_reason: 'help', support_ends_at: chat.clock.now() }),
        ),
    ],
    [
      'the API key by which it was written is revoked',
      'author_not_allowed',
      async ({ accountId }) => {
        await inside((tx) =>
          tx('identity.api_keys').where({ account_id: accountId }).update({ revoked_at: new Date() }),
        );
      },
    ],
    ['the member is disabled', 'member_disabled', () => ofMember(smsMember, { disabled_at: new Date() })],
    ['the member has opted out', 'opted_out', () => ofMember(smsMember, { sms_opted_out_at: new Date() })],
    ['the member has no phone any more', 'missing_phone', () => ofMember(smsMember, { phone: null })],
    [
      'the member wants no messages',
      'notifications_disabled',
      () => ofMember(smsMember, { notify_sms: false }),
    ],
  ])(
    'because %s says why (%s), stores nothing else and alerts a colleague',
    async (_what, reason, change) => {
      smsMember = await addMember(workspace, { role: workspace.roles.member });
      chat = await stageFreeChat(workspace, { channel: 'phone-sms', member: smsMember });
      const { member, context } = await addColleague();
      const { id } = await schedule(context);
      await inside(async (tx) => {
        const key = await tx('identity.api_keys').where({ account_id: member.accountId }).first('id');
        await tx('scheduled_messages').where({ id }).update({ api_key_id: key.id });
      });
      await change(member);

      chat.clock.advance(hours(2));
      expect(await step(id)).toEqual({ kind: 'ended', outcome: 'failed', reason });
      expect(await step(id)).toMatchObject({ outcome: 'failed' });

      expect(await said()).toEqual([]);
      expect(await read(id)).toMatchObject({ state: 'failed', failureReason: reason, messageUuid: null });
      expect(await chat.chat()).toMatchObject({
        paused: false,
        needsResponse: true,
        needsResponseReason: 'scheduled_message_failed',
      });
      const deliveries = await inside((tx) => tx('deliveries').where({ chat_id: chat.chatId }));
      expect(deliveries).toEqual([]);
    },
  );
  let smsMember: TestMember;

  it('because it is late by the life of a message says so, and alerts a colleague', async () => {
    const { id } = await schedule();
    chat.clock.advance(hours(6));
    expect(await step(id)).toEqual({ kind: 'ended', outcome: 'failed', reason: 'expired' });
    expect(await said()).toEqual([]);
    expect(await chat.chat()).toMatchObject({ needsResponseReason: 'scheduled_message_failed' });
  });

  it('is sent although the key by which it was written has expired, which is kept until then', async () => {
    const { member, context } = await addColleague();
    const { accountId } = member;
    const { id: keyId } = await inside((tx) =>
      tx('identity.api_keys').where({ account_id: accountId }).first('id'),
    );
    const { memberRoleId } = context.actor;
    const credential = { kind: 'api_key', id: keyId, scopes: null } as const;
    const ids = { workspaceId: workspace.workspaceId, workspaceUuid: workspace.workspaceUuid };
    const permissions = ['chats:admin', 'chats:read'];
    const { memberId } = member;
    const actor = new Actor({
      ...ids,
      accountId,
      memberId,
      memberRoleId,
      permissions,
      isKnown: true,
      credential,
    });
    const { id } = await schedule({ ...context, actor });
    const now = new Date();
    await inside(async (tx) => {
      await tx('identity.api_keys').where({ id: keyId }).update({ expires_at: now });
      await database.database.identity.apiKeys.removeEnded(accountId, { now, keep: 0 }, tx);
    });

    chat.clock.advance(hours(2));
    expect(await step(id)).toMatchObject({ outcome: 'sent' });
  });

  it('because a file was deleted says so, and sends the text neither', async () => {
    const file = await add();
    const { id } = await schedule(chat.colleague, { files: [file.id] });
    await deleteFile(workspace.context(), file.id);

    chat.clock.advance(hours(2));
    expect(await step(id)).toEqual({ kind: 'ended', outcome: 'failed', reason: 'file_unavailable' });
    expect(await said()).toEqual([]);
  });

  it('fails as well if its author may not read the file any more', async () => {
    const owner = await addColleague();
    const file = await add({ owner: owner.member });
    const { id } = await schedule(owner.context, { files: [file.id] });
    await inside((tx) =>
      tx('files').where({ id: file.id }).update({ owner_member_id: workspace.admin.memberId }),
    );

    chat.clock.advance(hours(2));
    expect(await step(id)).toMatchObject({ outcome: 'failed', reason: 'file_unavailable' });
  });
});

describe('what the author of a scheduled message has not seen', () => {
  const sent = async (id: number) => {
    chat.clock.advance(hours(2));
    expect(await step(id)).toMatchObject({ outcome: 'sent' });
  };

  it('waits on: a question that came after it was written', async () => {
    await chat.update({ paused: true });
    const { id } = await schedule();
    await chat.memberWrites('And may I eat?');

    await sent(id);

    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'agent_silent' });
  });

  it('alerts a colleague if the agent had yet to answer it', async () => {
    const { id } = await schedule();
    await chat.memberWrites('And may I eat?');

    await sent(id);

    expect(await chat.chat()).toMatchObject({ paused: true, needsResponse: true });
    expect(await chat.advance()).toMatchObject({ kind: 'idle' });
  });

  it('alerts nobody if the agent has answered it', async () => {
    const { id } = await schedule();
    await chat.memberWrites('And may I eat?');
    await new Turn(chat).take(reply('You may'));

    await sent(id);

    expect(await chat.chat()).toMatchObject({ paused: true, needsResponse: false });
  });

  it('waits on: a hand-over of a later time', async () => {
    const { id } = await schedule();
    await inside(async (tx) => alertColleague(tx, { id: chat.chatId }, 'handoff'));

    await sent(id);

    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'handoff' });
  });

  it('is nothing of what waited when it was written, or when its text was changed', async () => {
    await chat.update({ paused: true });
    await chat.memberWrites('May I eat?');
    const first = await schedule();
    await sent(first.id);
    expect(await chat.chat()).toMatchObject({ needsResponse: false });

    const second = await schedule();
    await chat.memberWrites('And drink?');
    await updateScheduledMessage(chat.colleague, chat.chatId, second.id, { message: 'You may do both' });
    await sent(second.id);
    expect(await chat.chat()).toMatchObject({ needsResponse: false });
  });
});

describe('changing a scheduled message', () => {
  it('makes a colleague who changes its text its author, and one who changes its time not', async () => {
    const { member, context } = await addColleague();
    const { id } = await schedule();

    const sendAt = new Date(chat.clock.now().getTime() + minutes(5)).toISOString();
    expect(await updateScheduledMessage(context, chat.chatId, id, { sendAt })).toMatchObject({
      authorMemberId: workspace.admin.memberId,
    });
    await updateScheduledMessage(context, chat.chatId, id, { message: 'In my words' });
    chat.clock.advance(minutes(5));
    await step(id);

    expect(await chat.messages()).toMatchObject([{ memberId: member.memberId, content: 'In my words' }]);
  });

  it('is refused to a colleague who may not read its files', async () => {
    const { context } = await addColleague();
    const file = await add();
    const { id } = await schedule(chat.colleague, { files: [file.id] });

    await expect(
      updateScheduledMessage(context, chat.chatId, id, { message: 'In my words' }),
    ).rejects.toMatchObject({ errors: [{ pointer: '/files/0' }] });
  });
});

describe('a message whose run an operator cancels', () => {
  const cancel = (scheduledMessageId: number) =>
    cancelMessageOfRun(
      { db: database.database, clock: chat.clock },
      { workspaceId: workspace.workspaceId, scheduledMessageId },
    );

  it('is cancelled by nobody, and a colleague is alerted', async () => {
    const { id } = await schedule();
    await cancel(id);
    expect(await read(id)).toMatchObject({ state: 'cancelled', cancelledByMemberId: null });
    expect(await chat.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'scheduled_message_failed',
    });
    chat.clock.advance(hours(2));
    expect(await step(id)).toEqual({ kind: 'ended', outcome: 'cancelled' });
    expect(await said()).toEqual([]);
  });

  it('stays as it is when it was sent before', async () => {
    const { id } = await schedule();
    chat.clock.advance(hours(2));
    await step(id);
    await cancel(id);
    expect(await read(id)).toMatchObject({ state: 'sent' });
  });
});

describe('a cancellation concurrent with the sending', () => {
  const due = async () => {
    const { id } = await schedule();
    chat.clock.advance(hours(2));
    return id;
  };
  const cancel = (id: number) => cancelScheduledMessage(chat.colleague, chat.chatId, id);

  it('waits for the sending and is then refused', async () => {
    const id = await due();
    const [cancelling] = await database.database.atomically(chat.workspaceId, async (within) => {
      await step(id, within);
      const waiting = [cancel(id).catch((error: unknown) => error)];
      await within.inWorkspace(chat.workspaceId, (tx) => whenWaitedFor(tx));
      return waiting;
    });

    expect(await cancelling).toMatchObject({ code: 'scheduled_message_settled' });
    expect(await said()).toHaveLength(1);
  });

  it('blocks the sending, which then finds it cancelled', async () => {
    const id = await due();
    const [sending] = await database.database.atomically(chat.workspaceId, async (within) => {
      await cancelScheduledMessage({ ...chat.colleague, db: within }, chat.chatId, id);
      const waiting = [step(id)];
      await within.inWorkspace(chat.workspaceId, (tx) => whenWaitedFor(tx));
      return waiting;
    });

    expect(await sending).toEqual({ kind: 'ended', outcome: 'cancelled' });
    expect(await said()).toEqual([]);
  });

  it('results in exactly one of both for many at once', async () => {
    const id = await due();

    const [, cancelled] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => step(id))),
      Promise.allSettled(Array.from({ length: 8 }, () => cancel(id))),
    ]);

    const { state } = await read(id);
    expect(await said()).toHaveLength(state === 'sent' ? 1 : 0);
    expect(new Set(cancelled.map(({ status }) => status))).toEqual(
      new Set([state === 'sent' ? 'rejected' : 'fulfilled']),
    );
  });
});

it('deleting the member cancels what was to be sent, also in a chat that nothing else keeps alive', async () => {
  const member = await addMember(workspace, { role: workspace.roles.member });
  chat = await stageFreeChat(workspace, { member });
  await chat.update({ paused: true });
  const { id, uuid } = await schedule();
  await emptyOutbox(database);

  await deleteMember(chat.colleague, member.memberId);

  expect(await read(id)).toMatchObject({ state: 'cancelled', cancelledByMemberId: null });
  expect(await inside((tx) => tx('outbox').where({ subject: uuid }))).toHaveLength(1);
  chat.clock.advance(hours(2));
  expect(await step(id)).toEqual({ kind: 'ended', outcome: 'cancelled' });
  expect(await said()).toEqual([]);
});
