import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { findAssignmentOfChat, patchAssignment } from '../../../../db/assignments/assignments.js';
import { findChat } from '../../../../db/conversations/chats.js';
import { findMember } from '../../../../db/people/members.js';
import { createAssignment } from '../../../../domain/assignments/create-assignment.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { receiveSms } from '../../../../domain/conversations/chats/receive-sms.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

let member: TestMember;
let number: { id: number; number: string };
let workflowId: number;

beforeEach(async () => {
  member = await addMember(workspace);
  number = await addPhoneNumber(workspace);
  const options = { defaultPhoneNumberId: number.id };
  ({ workflowId } = await publishDefinition(workspace, conversationTasks(), options));
});

const begin = (more: { workflowId?: number; phoneNumberId?: number; title?: string } = { workflowId }) =>
  createChat(workspace.context(), { channel: 'phone-sms', memberId: member.memberId, ...more });
const chat = async (chatId: number) => {
  const row = await workspace.within((tx) => findChat(tx, chatId));
  if (row === undefined) throw new Error(`no chat ${chatId}`);
  return row;
};
const conclude = (chatId: number) =>
  workspace.within(async (tx) => {
    const assignment = await findAssignmentOfChat(tx, chatId);
    if (assignment === undefined) throw new Error(`no assignment in chat ${chatId}`);
    await patchAssignment(tx, assignment.id, { status: 'completed', concludedAt: new Date() });
  });

/** The member texts. Returns the chat that receives it. */
async function chatOfReply(body = 'Yes', more: { missedAt?: Date } = {}): Promise<number> {
  const row = await workspace.within((tx) => findMember(tx, member.memberId));
  const carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
  const ends = { from: row?.phone ?? '', to: number.number };
  await receiveSms(workspace.context(), { carrierMessageId, ...ends, body, ...more });
  const [received] = await workspace.within((tx) =>
    tx('messages').where({ carrier_message_id: carrierMessageId }).select('chat_id'),
  );
  return Number(received?.chat_id);
}

describe('a new SMS chat with a member on a number', () => {
  it('alerts a colleague to the older chat, whose active assignment gets no more replies', async () => {
    const older = await begin();

    const newer = await begin();

    expect(await chat(older.id)).toMatchObject({ needsResponse: true, needsResponseReason: 'superseded' });
    expect(await chat(newer.id)).toMatchObject({ needsResponse: false });
    expect(await chatOfReply()).toBe(newer.id);
  });

  it('alerts a colleague to the older chat when an assignment opens the new one', async () => {
    const older = await begin();

    await createAssignment(workspace.context(), { workflowId, memberId: member.memberId });

    expect(await chat(older.id)).toMatchObject({ needsResponse: true, needsResponseReason: 'superseded' });
  });

  it('alerts a colleague to the older chat when both are created at once', async () => {
    const [one, other] = await Promise.all([begin(), begin()]);
    const [older, newer] = one.id < other.id ? [one, other] : [other, one];
    expect(await chat(older.id)).toMatchObject({ needsResponseReason: 'superseded' });
    expect(await chat(newer.id)).toMatchObject({ needsResponse: false });
  });

  it.each([
    ['whose assignment has ended', conclude],
    ['that is archived', (id: number) => updateChat(workspace.context(), id, { archived: true })],
  ] as const)('alerts no colleague to an older chat %s', async (_what, end) => {
    const older = await begin();
    await end(older.id);

    await begin();

    expect(await chat(older.id)).toMatchObject({ needsResponse: false });
  });

  it('alerts no colleague to chats on other numbers or of other members', async () => {
    const older = await begin();
    const other = await addPhoneNumber(workspace);

    await begin({ workflowId, phoneNumberId: other.id });
    member = await addMember(workspace);
    await begin();

    expect(await chat(older.id)).toMatchObject({ needsResponse: false });
  });
});

describe('an incoming SMS', () => {
  it('goes to the newest chat while that one is open', async () => {
    await begin();
    const simple = await begin({ phoneNumberId: number.id });
    expect(await chatOfReply()).toBe(simple.id);
  });

  it('goes to the older chat once the assignment of the newer one has ended', async () => {
    const older = await begin();
    const newer = await begin();
    await conclude(newer.id);
    expect(await chatOfReply()).toBe(older.id);
  });

  it('goes to the older chat once the newer one is archived', async () => {
    const older = await begin();
    const simple = await begin({ phoneNumberId: number.id });
    await updateChat(workspace.context(), simple.id, { archived: true });
    expect(await chatOfReply()).toBe(older.id);
  });

  it('goes to the newest chat when no assignment is active', async () => {
    await conclude((await begin()).id);
    const newer = await begin();
    await conclude(newer.id);
    expect(await chatOfReply()).toBe(newer.id);
  });
});

describe('a keyword with its confirmation', () => {
  it('is no answer: pausing the chat alerts a colleague to the message before it', async () => {
    const { id } = await begin();
    expect(await chatOfReply('Is the clinic open?')).toBe(id);
    expect(await chatOfReply('START')).toBe(id);

    await updateChat(workspace.context(), id, { paused: true });

    expect(await chat(id)).toMatchObject({ needsResponse: true, needsResponseReason: 'agent_silent' });
  });

  it('needs no answer: resuming the chat owes none', async () => {
    const { id } = await begin({ phoneNumberId: number.id });
    await updateChat(workspace.context(), id, { paused: true });
    // A missed keyword has no confirmation.
    expect(await chatOfReply('HELP', { missedAt: new Date() })).toBe(id);

    await updateChat(workspace.context(), id, { paused: false });

    const { version, handledVersion } = await chat(id);
    expect(version).toBe(handledVersion);
  });
});
