import { beforeEach, describe, expect, it } from 'vitest';
import { type ChatRow, insertChat, patchChat } from '../../../../db/conversations/chats.js';
import { lockHandoffTelling, removeHandoffTelling } from '../../../../db/conversations/handoff-tellings.js';
import type { Tx } from '../../../../db/tx.js';
import { maxHandoffNoticesADay } from '../../../../domain/channels/outreach/gate.js';
import {
  claimChat,
  releaseChat,
  snoozeChat,
  wakeChat,
} from '../../../../domain/conversations/chats/claim-chat.js';
import { postMessage } from '../../../../domain/conversations/chats/post-message.js';
import { tellOfWaitingChats } from '../../../../domain/conversations/handoffs/tell-of-waiting-chats.js';
import type { HandoffNoticesInput } from '../../../../domain/identity/workspaces/check-handoff-notices.js';
import { updateWorkspace } from '../../../../domain/identity/workspaces/update-workspace.js';
import { alertColleague, noPersonNeeded } from '../../../../domain/kernel/alert-colleague.js';
import { type Occurrence, observeOccurrences } from '../../../../domain/kernel/occurrences.js';
import { whenWaiting } from '../../../support/db/locks.js';
import { addHeldEmail } from '../../../support/emails/held-email.js';
import { hours, MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { toldEvents } from '../../../support/webhooks/told-events.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { addInbox } from '../../../support/workspace/inboxes.js';
import { proveEmail } from '../../../support/workspace/prove-email.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace({ storesEvents: true });

let workspace: TestWorkspace;
let clock: MovedClock;
beforeEach(async () => {
  workspace = await createWorkspace(suite.database.database);
  await proveEmail(workspace, workspace.admin.memberId);
  clock = new MovedClock();
});

const context = () => ({ ...workspace.context(workspace.admin, clock), policy: { localHttpOrigins: false } });
const set = (changes: Partial<HandoffNoticesInput> = {}) => {
  const setting = { channels: ['email'], memberRoleIds: [workspace.roles.admin.id], ...changes };
  return updateWorkspace(context(), { handoffNotices: setting as HandoffNoticesInput });
};
/** A look, a minute later than what was done before. */
const look = async () => {
  clock.advance(minutes(1));
  return tellOfWaitingChats({ db: workspace.database, clock }, workspace.workspaceId);
};
const handOver = (tx: Tx, values: Partial<ChatRow> = {}, reason: 'handoff' | 'no_model' = 'handoff') =>
  insertChat(tx, {
    channel: 'web-chat',
    chatType: 'simple',
    memberId: workspace.member.memberId,
    ...values,
  }).then((chat) => alertColleague(tx, chat, reason));
/** A chat that begins to wait now, by the moved clock. */
const addWaiting = (values: Partial<ChatRow> = {}, reason?: 'handoff' | 'no_model') =>
  workspace.within(async (tx) => {
    const chat = await handOver(tx, values, reason);
    return patchChat(tx, chat.id, { needsResponseSince: clock.now() });
  });
/** Moves the time of chats that are news again to the moved clock: the database has the real one. Resolves to their ids. */
const reopenedNow = async (): Promise<number[]> => {
  const found = await workspace.within(async (tx) =>
    tx('chats').whereNotNull('reopened_at').update({ reopened_at: clock.now() }).returning('id'),
  );
  return found.map(({ id }: { id: number }) => id);
};
const notices = () => workspace.within(async (tx) => tx('handoff_notices').orderBy('id'));
const events = async () => (await toldEvents(workspace)).map(({ body }) => body);

describe('the people of a workspace that says so', () => {
  it('are told once of a thousand chats that are handed over', async () => {
    const other = await addMember(workspace, { role: workspace.roles.admin });
    await proveEmail(workspace, other.memberId);
    await set();
    await look();
    await workspace.within(async (tx) => {
      for (let count = 0; count < 1_000; count += 1) await handOver(tx, { needsResponseSince: null });
      await tx('chats').update({ needs_response_since: clock.now() });
    });

    expect(await look()).toEqual({ notices: 2, events: 0 });

    expect(await notices()).toMatchObject([
      { member_id: workspace.admin.memberId, channel: 'email', claimed_at: null },
      { member_id: other.memberId, channel: 'email' },
    ]);
    const starts = await workspace.within(async (tx) =>
      tx('outbox').where({ run_type: 'sendHandoffNotice' }),
    );
    expect(starts).toHaveLength(2);
    expect(await look()).toEqual({ notices: 0, events: 0 });
  });

  it('are told of nothing where there is no setting, and of nothing that waited before it', async () => {
    await addWaiting();
    expect(await look()).toEqual({ notices: 0, events: 0 });
    await set();
    for (let looks = 0; looks < 3; looks += 1) expect(await look()).toEqual({ notices: 0, events: 0 });
  });

  it('are told of nothing that began to wait while nobody was told', async () => {
    await addEventRule(workspace, { eventType: 'chat:needs_response' });
    await set({ channels: ['email', 'event'] });
    await look();
    await updateWorkspace(context(), { handoffNotices: null });
    await addWaiting();
    clock.advance(minutes(60));
    await set({ channels: ['email', 'event'] });
    for (let looks = 0; looks < 2; looks += 1) expect(await look()).toEqual({ notices: 0, events: 0 });
    await addWaiting();
    expect(await look()).toEqual({ notices: 1, events: 1 });
  });

  it('are told at most once in the interval, and afterwards of what came in it', async () => {
    await set({ everyMinutes: 15 });
    await look();
    await addWaiting();
    expect((await look()).notices).toBe(1);
    await addWaiting();
    for (let looks = 0; looks < 14; looks += 1) expect((await look()).notices).toBe(0);
    expect((await look()).notices).toBe(1);
    clock.advance(minutes(15));
    expect((await look()).notices).toBe(0);
  });

  it('are told all day, but not more often on a channel than the shortest interval allows', async () => {
    const number = await addPhoneNumber(workspace);
    const { accountId } = await proveEmail(workspace, workspace.admin.memberId);
    const phone = workspace.admin.row.phone ?? '';
    await workspace.database.identity.accounts.update(accountId, { phone, phoneVerifiedAt: clock.now() });
    await set({ everyMinutes: 5, channels: ['email', 'sms'], phoneNumberId: number.id });
    await look();
    const addSent = (count: number) =>
      workspace.within(async (tx) => {
        const sent = { workspace_id: workspace.workspaceId, member_id: workspace.admin.memberId };
        const times = { created_at: clock.now(), claimed_at: clock.now(), sent_at: clock.now() };
        const rows = Array.from({ length: count }, () => ({ ...sent, channel: 'email', ...times }));
        await tx('handoff_notices').insert(rows);
      });
    await addSent(maxHandoffNoticesADay - 1);
    await addWaiting();
    expect((await look()).notices).toBe(2);
    await addSent(1);
    clock.advance(minutes(5));
    await addWaiting();
    expect((await look()).notices).toBe(1);
    expect((await notices()).at(-1)).toMatchObject({ channel: 'sms' });
    clock.advance(hours(24));
    await addWaiting();
    expect((await look()).notices).toBe(2);
  });

  it('are told of a chat that begins to wait right after the setting, before any look', async () => {
    await addEventRule(workspace, { eventType: 'chat:needs_response' });
    await addWaiting();
    clock.advance(1_000);
    await set({ channels: ['email', 'event'] });
    clock.advance(1_000);
    const { id } = await addWaiting();
    expect(await look()).toEqual({ notices: 1, events: 1 });
    expect(await events()).toMatchObject([{ chat: { id } }]);
  });

  it('are told of nothing that waited before, where a pass waits while the setting is taken away', async () => {
    await set();
    await look();
    clock.advance(minutes(1));
    const pass = () => tellOfWaitingChats({ db: workspace.database, clock }, workspace.workspaceId);
    const { workspaces } = workspace.database.identity;
    const passing = await workspace.within(async (tx) => {
      await removeHandoffTelling(tx);
      const started = pass();
      await whenWaiting(workspace, 1);
      await workspaces.update(workspace.workspaceId, { handoffNotices: null }, tx);
      return { started };
    });
    expect(await passing.started).toEqual({ notices: 0, events: 0 });
    await addWaiting();
    clock.advance(minutes(60));
    await set();
    expect(await look()).toEqual({ notices: 0, events: 0 });
  });

  it('are not told of what began to wait within the last half minute, until the next look', async () => {
    await set();
    await look();
    clock.advance(minutes(1));
    await addWaiting();
    clock.advance(29_000);
    const now = () => tellOfWaitingChats({ db: workspace.database, clock }, workspace.workspaceId);
    expect((await now()).notices).toBe(0);
    clock.advance(2_000);
    expect((await now()).notices).toBe(1);
  });

  it('are not told of chats that are answered, claimed, snoozed, muted, archived, tests or of other reasons', async () => {
    await set();
    await look();
    const answered = await addWaiting();
    await workspace.within((tx) => patchChat(tx, answered.id, noPersonNeeded));
    await claimChat(context(), (await addWaiting()).id, { minutes: 30 });
    await snoozeChat(context(), (await addWaiting()).id, {});
    await addWaiting({ muted: true });
    await addWaiting({ archived: true });
    await addWaiting({ isTest: true });
    await addWaiting({}, 'no_model');
    expect((await look()).notices).toBe(0);
    await set({ reasons: ['no_model', 'handoff'] });
    await addWaiting({}, 'no_model');
    expect((await look()).notices).toBe(1);
  });

  it.each([
    ['claim', (chatId: number) => claimChat(context(), chatId, { minutes: 10 })],
    [
      'snooze',
      (chatId: number) =>
        snoozeChat(context(), chatId, { until: new Date(clock.now().getTime() + minutes(10)).toISOString() }),
    ],
  ])('are told when a %s ends without an answer', async (_what, putOff) => {
    await set({ everyMinutes: 5 });
    await look();
    await putOff((await addWaiting()).id);
    for (let looks = 0; looks < 10; looks += 1) expect((await look()).notices).toBe(0);
    expect((await look()).notices).toBe(1);
    clock.advance(minutes(5));
    expect((await look()).notices).toBe(0);
  });

  it('are told when the member writes in a snoozed chat, and not when a colleague claims one', async () => {
    await set({ everyMinutes: 5 });
    await look();
    const [written, claimed] = [await addWaiting(), await addWaiting()];
    for (const { id } of [written, claimed]) await snoozeChat(context(), id, {});
    expect((await look()).notices).toBe(0);
    const asMember = workspace.context(workspace.member, clock);
    await claimChat(context(), claimed.id, { minutes: 30 });
    await postMessage(asMember, { chatId: written.id, content: 'I am back' });
    expect(await reopenedNow()).toEqual([written.id]);

    expect((await look()).notices).toBe(1);
    clock.advance(minutes(5));
    expect((await look()).notices).toBe(0);
  });

  const put = (chatId: number, values: Partial<ChatRow>) =>
    workspace.within((tx) => patchChat(tx, chatId, values));
  it.each<[string, (id: number) => Promise<unknown>, (id: number) => Promise<unknown>]>([
    [
      'is handed over while it waits for another reason',
      (id) => workspace.within((tx) => alertColleague(tx, { id }, 'delivery_failed')),
      async (id) => {
        await postMessage(workspace.context(workspace.member, clock), { chatId: id, content: 'Hello?' });
        await workspace.within((tx) => alertColleague(tx, { id }, 'handoff'));
      },
    ],
    ['is released', (id) => claimChat(context(), id, { minutes: 600 }), (id) => releaseChat(context(), id)],
    ['is woken', (id) => snoozeChat(context(), id, {}), (id) => wakeChat(context(), id)],
    [
      'was archived when the member writes',
      (id) => put(id, { archived: true }),
      (id) => postMessage(workspace.context(workspace.member, clock), { chatId: id, content: 'I am back' }),
    ],
    ['is no longer muted', (id) => put(id, { muted: true }), (id) => put(id, { muted: false })],
  ])('are told, with an event, when a chat that waits %s', async (_what, hide, reopen) => {
    await addEventRule(workspace, { eventType: 'chat:needs_response' });
    await set({ everyMinutes: 5, channels: ['email', 'event'] });
    await look();
    const { id } = await addWaiting();
    await hide(id);
    expect((await look()).notices).toBe(0);
    expect((await look()).events).toBe(0);

    await reopen(id);
    expect(await reopenedNow()).toEqual([id]);

    expect(await look()).toEqual({ notices: 1, events: 1 });
    expect((await events()).at(-1)).toMatchObject({ chat: { id }, reason: 'handoff' });
    clock.advance(minutes(5));
    expect(await look()).toEqual({ notices: 0, events: 0 });
  });

  it('are told of another reason in a claimed chat when the claim ends, and not of an alert for the same one', async () => {
    await addEventRule(workspace, { eventType: 'chat:needs_response' });
    await set({ everyMinutes: 5, channels: ['email', 'event'] });
    await look();
    const { id } = await addWaiting({}, 'no_model');
    await workspace.within((tx) => alertColleague(tx, { id }, 'no_model'));
    await claimChat(context(), id, { minutes: 10 });
    expect(await reopenedNow()).toEqual([]);
    await workspace.within((tx) => alertColleague(tx, { id }, 'handoff'));
    expect(await reopenedNow()).toEqual([id]);
    expect(await look()).toEqual({ notices: 0, events: 1 });
    for (let looks = 1; looks < 10; looks += 1) expect(await look()).toEqual({ notices: 0, events: 0 });
    expect(await look()).toEqual({ notices: 1, events: 0 });
  });

  it('are told once by two passes at once', async () => {
    await set();
    await look();
    await addWaiting();
    clock.advance(minutes(1));
    const pass = () => tellOfWaitingChats({ db: workspace.database, clock }, workspace.workspaceId);
    const passes = await workspace.within(async (tx) => {
      await lockHandoffTelling(tx, clock.now());
      const started = [pass(), pass()];
      await whenWaiting(workspace, 2);
      return started;
    });
    const told = await Promise.all(passes);
    expect(told.map((one) => one.notices).sort()).toEqual([0, 1]);
    expect(await notices()).toHaveLength(1);
  });

  it('are not told if they may not be written to or do not read chats, and the operator learns of it', async () => {
    const reported: Occurrence[] = [];
    const stop = observeOccurrences((occurrence) => reported.push(occurrence));
    const [unproved, plain] = [
      await addMember(workspace, { permissions: ['chats:read'] }),
      await addMember(workspace),
    ];
    await proveEmail(workspace, plain.memberId);
    await set({ memberRoleIds: [], memberIds: [unproved.memberId, plain.memberId] });
    await look();
    await addWaiting();
    expect((await look()).notices).toBe(0);
    stop();
    expect(reported).toEqual([
      { kind: 'notice_not_sent', workspaceId: workspace.workspaceId, reason: 'nobody_to_tell' },
    ]);
    expect((await look()).notices).toBe(0);
  });
});

describe('the events of waiting chats', () => {
  it('are written once for each chat, in the order of waiting, with the channel event only', async () => {
    await addEventRule(workspace, { eventType: 'chat:needs_response' });
    await set({ channels: ['event'], memberRoleIds: [] });
    await look();
    const [first, second] = [await addWaiting(), await addWaiting()];

    expect(await look()).toEqual({ notices: 0, events: 2 });
    expect(await look()).toEqual({ notices: 0, events: 0 });

    const { needsResponseSince } = first;
    expect(await events()).toMatchObject([
      { chat: { id: first.id }, reason: 'handoff', waitingSince: needsResponseSince?.toISOString() },
      { chat: { id: second.id }, reason: 'handoff' },
    ]);
    await set({ channels: ['email'] });
    await addWaiting();
    expect(await look()).toEqual({ notices: 1, events: 0 });
    await set({ channels: ['event'] });
    expect(await look()).toEqual({ notices: 0, events: 0 });
  });

  it('go on in the next pass where there are more than one pass writes', async () => {
    await addEventRule(workspace, { eventType: 'chat:needs_response' });
    await set({ channels: ['event'], memberRoleIds: [] });
    await look();
    await workspace.within(async (tx) => {
      for (let count = 0; count < 501; count += 1) await handOver(tx);
      await tx('chats').update({ needs_response_since: clock.now() });
    });
    expect((await look()).events).toBe(500);
    expect((await look()).events).toBe(1);
    expect((await look()).events).toBe(0);
    await workspace.within(async (tx) => tx('chats').update({ reopened_at: clock.now() }));
    expect((await look()).events).toBe(500);
    expect((await look()).events).toBe(1);
    expect((await look()).events).toBe(0);
    const ids = new Set((await events()).map(({ chat }) => (chat as { id: number }).id));
    expect(ids.size).toBe(501);
  });
});

describe('held emails', () => {
  const hold = async () => {
    const inbox = await addInbox(workspace);
    return workspace.within((tx) => addHeldEmail(tx, inbox, clock.now()));
  };
  const checkAfter = async (ms: number) => {
    clock.advance(ms);
    return (await look()).notices;
  };

  it('are told of, and alone every four hours at most', async () => {
    await set();
    await look();
    await hold();
    expect(await checkAfter(0)).toBe(1);
    expect(await checkAfter(minutes(20))).toBe(0);
    for (let count = 0; count < 3; count += 1) await hold();
    expect(await checkAfter(minutes(20))).toBe(0);
    expect(await checkAfter(hours(4))).toBe(1);
    // All have been told of, and wait on.
    expect(await checkAfter(hours(24))).toBe(0);
  });

  it('that came with news of chats are no news later', async () => {
    await set();
    await look();
    await hold();
    await addWaiting();
    expect(await checkAfter(0)).toBe(1);
    expect(await checkAfter(hours(5))).toBe(0);
    await addWaiting();
    expect(await checkAfter(0)).toBe(1);
  });

  it.each([
    ['were held before the setting', false, async () => {}],
    ['are left out of the setting', true, () => set({ heldEmails: false })],
    ['are told of by event alone', true, () => set({ channels: ['event'] })],
    [
      'were resolved before the look',
      true,
      () => workspace.within((tx) => tx('inbound_emails').update({ needs_response: false })),
    ],
  ])('that %s are told to nobody', async (_what, isSetBefore, change) => {
    if (isSetBefore) {
      await set();
      await look();
    }
    await hold();
    clock.advance(minutes(1));
    if (!isSetBefore) await set();
    await change();
    expect(await checkAfter(0)).toBe(0);
    await set();
    expect(await checkAfter(hours(5))).toBe(0);
  });

  it('are not told of to people of a setting of the release before, which had no such choice', async () => {
    await set();
    const stored = await workspace.database.identity.workspaces.findById(workspace.workspaceId);
    const { heldEmails: _choice, ...before } = stored?.handoffNotices ?? raise();
    await workspace.database.identity.workspaces.update(workspace.workspaceId, { handoffNotices: before });
    await look();
    await workspace.within((tx) => tx('handoff_tellings').update({ emails_told_until: null }));
    await look();
    await hold();
    expect(await checkAfter(0)).toBe(0);
  });
});

function raise(): never {
  throw new Error('there is no setting');
}
