import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import { waitFor } from '../../support/lib/wait-for.js';
import {
  createSmsWorkspace,
  type SmsConversation,
  type SmsWorkspace,
} from '../../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { doors } from '../small-trees.js';

let system: TestSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSystem();
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

async function deleteMember({ texter }: SmsConversation): Promise<void> {
  const answer = await workspace.asAdmin('DELETE', `/members/${texter.memberId}`);
  expect(answer.status).toBe(204);
}

const post = (chat: SmsConversation, content: string) =>
  workspace.asAdmin('POST', `/chats/${chat.chatId}/send-assistant-message`, { message: content });
const deliveriesOf = (chat: SmsConversation) =>
  workspace.select<Pick<DeliveryRow, 'state' | 'attempts'> & { failure_reason: string | null }>(
    'select state, attempts, failure_reason from deliveries where chat_id = ? order by id',
    [chat.chatId],
  );

it('cancels the assignment of a deleted member during a turn, and the agent sends nothing more', async () => {
  const definitionId = await workspace.publish(doors);
  const texter = await workspace.addTexter();
  await system.model.script([{ hold: true, content: 'words of the agent' }], texter.row.name ?? '');
  const assignment = await workspace.begin(definitionId, texter);
  await system.model.held();

  await deleteMember(assignment);

  expect(await assignment.assignment()).toMatchObject({ status: 'cancelled', outcome: 'member_deleted' });
  await system.model.release();
  expect(await system.run('runAssignment', assignment.assignmentUuid).result()).toEqual({
    status: 'cancelled',
  });
  expect(await assignment.said('assistant')).toEqual([]);
  expect(await assignment.carried()).toEqual([]);
});

it('drops a reply in progress in a chat of a deleted member', async () => {
  const chat = await workspace.openChat();
  await system.model.script([{ hold: true, content: 'words of before' }], chat.texter.row.name ?? '');
  await chat.write('Hello?');
  await system.model.held();

  await deleteMember(chat);
  await system.model.release();

  await system.run('answerChat', chat.chatUuid).result();
  expect(await chat.said('assistant')).toEqual([]);
  expect(await chat.carried()).toEqual([]);
  expect(await chat.chat()).toMatchObject({ paused: true, pausedReason: 'member_deleted' });
});

it('sends no messages that a busy carrier has delayed once their member is deleted', async () => {
  const chat = await workspace.openChat();
  await system.carrier.turn({ handset: chat.texter.phone, busy: { rate: 1, retryAfterSeconds: 1 } });
  await post(chat, 'one');
  await post(chat, 'two');
  await waitFor('the carrier was busy', async () => (await deliveriesOf(chat))[0]?.attempts === 1);

  await deleteMember(chat);

  await chat.settled();
  expect(await deliveriesOf(chat)).toEqual([
    { state: 'failed', attempts: 1, failure_reason: 'member_deleted' },
    { state: 'failed', attempts: 0, failure_reason: 'member_deleted' },
  ]);
  expect(await chat.carried()).toEqual([]);
});

it('creates a new member and chat for a sender with the number of a deleted member', async () => {
  const chat = await workspace.openChat();
  await chat.write('one');
  await chat.heard('You wrote: one.');
  await chat.settled();

  await deleteMember(chat);
  await chat.write('two');

  const members = await waitFor('there is a new member', async () => {
    const found = await workspace.select<{ id: number; name: string | null }>(
      'select id, name from members where phone = ? and deleted_at is null',
      [chat.texter.phone],
    );
    return found.length > 0 ? found : undefined;
  });
  expect(members).toEqual([{ id: expect.any(Number), name: null }]);
  expect(await chat.said('user')).toEqual(['one']);
  const answered = await waitFor('the newcomer is answered', async () =>
    (await chat.carried()).find((text) => text.includes('You wrote: two.')),
  );
  expect(answered).toContain('two');
});
