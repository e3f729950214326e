import { type CallMark, findRecordedMs, selectCallMarks } from '../../../db/calls/call-marks.js';
import {
  type CallFilter,
  type CallSort,
  findPhoneCall,
  type PhoneCallRow,
  selectCallsOfChat,
  selectPhoneCalls,
} from '../../../db/calls/phone-calls.js';
import { type AssistantRow, selectAssistantsOfMembers } from '../../../db/conversations/assistants.js';
import { definitionsOfChats } from '../../../db/conversations/chat-details.js';
import { findChat } from '../../../db/conversations/chats.js';
import { isParticipant } from '../../../db/conversations/participants.js';
import { type MemberDetails, selectMemberDetails } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { readableChat, requireReadable } from '../../chat-state/chat-access.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** A call with those who speak in it. */
export interface PhoneCallView extends PhoneCallRow {
  member: MemberDetails | undefined;
  agent: AssistantRow | undefined;
  /** The workflow of the chat's assignment. */
  workflowId: number | null;
}

const maxOfChat = 1_000;

/** The calls of a chat that the caller may read, newest first. @throws NotFound, Forbidden */
export async function listCallsOfChat(
  { db, actor }: CommandContext,
  chatId: number,
): Promise<PhoneCallView[]> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await readableChat(tx, actor, chatId);
    return viewCalls(tx, actor, await selectCallsOfChat(tx, chat.id, maxOfChat));
  });
}

export type ListCalls = PageRequest<CallSort> & Omit<CallFilter, 'ofMember'>;

/** Lists calls: all with `chats:read`, otherwise those of the caller's own chats. */
export async function listCalls(
  { db, actor }: CommandContext,
  { page, pageSize, sortBy, sortOrder, ...filter }: ListCalls,
): Promise<PageOf<PhoneCallView>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const own = actor.can('chats:read') ? {} : { ofMember: actor.memberId };
    const found = await selectPhoneCalls(tx, { ...filter, ...own }, { page, pageSize, sortBy, sortOrder });
    return { ...found, items: await viewCalls(tx, actor, found.items) };
  });
}

/** A call that the caller may read: as its chat. A refused call has none, and is for those who read all. @throws NotFound, Forbidden */
export async function getCall({ db, actor }: CommandContext, callId: number): Promise<PhoneCallView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const call = await findPhoneCall(tx, callId);
    if (call === undefined) throw new NotFound('Phone call');
    await requireReadableCall(tx, actor, call);
    const [view] = await viewCalls(tx, actor, [call]);
    if (view === undefined) throw new NotFound('Phone call');
    return view;
  });
}

/** What happened in a call beside what was said, and how long its recording is. @throws NotFound, Forbidden */
export async function listCallMarks(
  { db, actor }: CommandContext,
  callId: number,
): Promise<{ recordedMs: number | null; items: CallMark[] }> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const call = await findPhoneCall(tx, callId);
    if (call === undefined) throw new NotFound('Phone call');
    await requireReadableCall(tx, actor, call);
    const recordedMs = await findRecordedMs(tx, call.id);
    return { recordedMs, items: await selectCallMarks(tx, call.id, recordedMs) };
  });
}

async function requireReadableCall(tx: Tx, actor: Actor, { chatId }: PhoneCallRow): Promise<void> {
  if (chatId === null) return actor.require('chats:read');
  const chat = await findChat(tx, chatId);
  await requireReadable(actor, chat, ({ id }) => isParticipant(tx, id, actor.memberId));
}

/** Adds members, whom the caller may read, assistants and workflows, in three queries for any number of calls. */
export async function viewCalls(
  tx: Tx,
  actor: Actor,
  calls: readonly PhoneCallRow[],
): Promise<PhoneCallView[]> {
  const isShown = (id: number | null) => id !== null && (id === actor.memberId || actor.can('members:read'));
  if (calls.length === 0) return [];
  const distinct = (ids: readonly (number | null)[]) => [...new Set(ids.flatMap((id) => id ?? []))];
  const [members, assistants, definitions] = await Promise.all([
    selectMemberDetails(tx, distinct(calls.map(({ memberId }) => (isShown(memberId) ? memberId : null)))),
    selectAssistantsOfMembers(tx, distinct(calls.map(({ agentMemberId }) => agentMemberId))),
    definitionsOfChats(tx, distinct(calls.map(({ chatId }) => chatId))),
  ]);
  const memberOf = new Map(members.map((member) => [member.id, member]));
  const agentOf = new Map(assistants.map((assistant) => [assistant.memberId, assistant]));
  return calls.map((call) => ({
    ...call,
    member: memberOf.get(call.memberId ?? 0),
    agent: agentOf.get(call.agentMemberId ?? 0),
    workflowId: definitions.get(call.chatId ?? 0) ?? null,
  }));
}
