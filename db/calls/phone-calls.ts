import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { ownChatIds } from '../conversations/chat-lists.js';
import { MessageModel } from '../conversations/models/message.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { type CallStatus, PhoneCallModel, type PhoneCallRow } from './models/phone-call.js';

export type {
  CallStatus,
  CarrierCallStatus,
  PhoneCallRow,
  RecordingConsent,
  SpokenWords,
} from './models/phone-call.js';

/** Columns to write; undefined leaves a column as it is. */
export type CallChanges = {
  [Field in Exclude<keyof PhoneCallRow, 'id' | 'workspaceId' | 'uuid' | 'revision' | 'changedIn'>]?:
    | PhoneCallRow[Field]
    | undefined;
};
export type NewPhoneCall = Pick<
  PhoneCallRow,
  'phoneNumberId' | 'inbound' | 'begunBy' | 'remoteNumber' | 'createdAt' | 'updatedAt'
> &
  CallChanges;

/** @throws a violation of `phone_calls_open` if a call of the chat has not finished */
export async function insertPhoneCall(tx: Tx, call: NewPhoneCall): Promise<PhoneCallRow> {
  return PhoneCallModel.insert(tx, call);
}

export async function findPhoneCall(tx: Tx, callId: number): Promise<PhoneCallRow | undefined> {
  return PhoneCallModel.find(tx, callId);
}

export async function findPhoneCallByUuid(tx: Tx, uuid: string): Promise<PhoneCallRow | undefined> {
  return PhoneCallModel.first(tx, 'uuid = ?', [uuid]);
}

export async function findPhoneCallAtCarrier(
  tx: Tx,
  carrierCallId: string,
): Promise<PhoneCallRow | undefined> {
  return PhoneCallModel.first(tx, 'carrier_call_id = ?', [carrierCallId]);
}

/** Locks the call's row. Where the chat is locked as well, that comes first. */
export async function lockPhoneCall(tx: Tx, callId: number): Promise<PhoneCallRow | undefined> {
  return PhoneCallModel.first(tx, 'id = ? for update', [callId]);
}

/** Finds the call that holds the floor of a chat. */
export async function findOpenCall(tx: Tx, chatId: number): Promise<PhoneCallRow | undefined> {
  return PhoneCallModel.first(tx, 'chat_id = ? and finished_at is null', [chatId]);
}

/** Finds the newest call of a chat. */
export async function findLatestCall(tx: Tx, chatId: number): Promise<PhoneCallRow | undefined> {
  return PhoneCallModel.first(tx, 'chat_id = ? order by id desc', [chatId]);
}

/** Finds the newest call of a chat that was answered. */
export async function findLatestAnsweredCall(tx: Tx, chatId: number): Promise<PhoneCallRow | undefined> {
  return PhoneCallModel.first(tx, 'chat_id = ? and started_at is not null order by id desc', [chatId]);
}

/** Lists the calls of a chat, newest first. */
export async function selectCallsOfChat(tx: Tx, chatId: number, limit: number): Promise<PhoneCallRow[]> {
  return PhoneCallModel.where(tx, 'chat_id = ? order by id desc limit ?', [chatId, limit]);
}

export async function patchPhoneCall(
  tx: Tx,
  callId: number,
  changes: CallChanges & { updatedAt: Date },
): Promise<PhoneCallRow> {
  return PhoneCallModel.patch(tx, callId, changes);
}

export interface CallFilter {
  chatId?: number | undefined;
  memberId?: number | undefined;
  phoneNumberId?: number | undefined;
  inbound?: boolean | undefined;
  status?: readonly CallStatus[] | undefined;
  createdFrom?: string | undefined;
  createdBefore?: string | undefined;
  /** Only calls in chats with this member, begun by it, or in which it takes part. */
  ofMember?: number | undefined;
}

export type CallSort = 'createdAt' | 'startedAt' | 'finishedAt';

const sortColumns = { createdAt: 'created_at', startedAt: 'started_at', finishedAt: 'finished_at' } as const;

export async function selectPhoneCalls(
  tx: Tx,
  { chatId, memberId, phoneNumberId, inbound, status, createdFrom, createdBefore, ofMember }: CallFilter,
  page: PageRequest<CallSort>,
): Promise<PageOf<PhoneCallRow>> {
  const query = PhoneCallModel.query(tx);
  if (chatId !== undefined) query.where({ chat_id: chatId });
  if (memberId !== undefined) query.where({ member_id: memberId });
  if (phoneNumberId !== undefined) query.where({ phone_number_id: phoneNumberId });
  if (inbound !== undefined) query.where({ inbound });
  if (status !== undefined) query.whereIn('status', [...status]);
  if (createdFrom !== undefined) query.where('created_at', '>=', new Date(createdFrom));
  if (createdBefore !== undefined) query.where('created_at', '<', new Date(createdBefore));
  if (ofMember !== undefined) query.whereIn('chat_id', ownChatIds(tx, ofMember));
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id', {
    neverNull: page.sortBy === 'createdAt',
    findsFirst: [chatId, memberId, phoneNumberId, status, ofMember].some((one) => one !== undefined),
  });
  return { ...found, items: found.items.map(toRow) };
}

/** Finds the newest call between two numbers in a chat, since a time. */
export async function findReturnedCall(
  tx: Tx,
  { remoteNumber, phoneNumberId, since }: { remoteNumber: string; phoneNumberId: number; since: Date },
): Promise<PhoneCallRow | undefined> {
  const between = 'remote_number = ? and phone_number_id = ? and chat_id is not null and created_at > ?';
  return PhoneCallModel.first(tx, `${between} order by created_at desc`, [
    remoteNumber,
    phoneNumberId,
    since,
  ]);
}

/** Counts, up to `most`, the calls that came from a number since a time. */
export async function countCallsFrom(
  tx: Tx,
  remoteNumber: string,
  { since, most }: { since: Date; most: number },
): Promise<number> {
  return PhoneCallModel.countUpTo(tx, most, 'remote_number = ? and inbound and created_at > ?', [
    remoteNumber,
    since,
  ]);
}

/** Counts, up to `most`, the calls that a number of the workspace has taken outside of business hours since a time. */
export async function countClosedCalls(
  tx: Tx,
  phoneNumberId: number,
  { since, most }: { since: Date; most: number },
): Promise<number> {
  const told = `phone_number_id = ? and created_at > ? and ended_by = 'closed'`;
  return PhoneCallModel.countUpTo(tx, most, told, [phoneNumberId, since]);
}

/** Whether an outgoing call to a number has not ended, except one; `isDialled`: the carrier was asked for it. */
export async function hasOpenCallTo(
  tx: Tx,
  remoteNumber: string,
  { except, isDialled }: { except: number; isDialled: boolean },
): Promise<boolean> {
  return PhoneCallModel.exists(
    tx,
    'remote_number = ? and not inbound and finished_at is null and id <> ? and attempts >= ?',
    [remoteNumber, except, isDialled ? 1 : 0],
  );
}

/** Counts, up to `most`, the calls to a number that were dialled since a time. */
export async function countCallsTo(
  tx: Tx,
  remoteNumber: string,
  { since, except, most }: { since: Date; except: number; most: number },
): Promise<number> {
  const dialled = 'remote_number = ? and not inbound and created_at > ? and attempts > 0 and id <> ?';
  return PhoneCallModel.countUpTo(tx, most, dialled, [remoteNumber, since, except]);
}

/** Counts, up to `most`, the calls to all numbers that have been dialled since a time, except one. */
export async function countCallsDialled(
  tx: Tx,
  { since, except, most }: { since: Date; except: number; most: number },
): Promise<number> {
  const dialled = 'not inbound and created_at > ? and attempts > 0 and id <> ?';
  return PhoneCallModel.countUpTo(tx, most, dialled, [since, except]);
}

/** How often callers have tried to prove that they are a member, in its calls since a time. */
export async function countIdentityTries(tx: Tx, memberId: number, since: Date): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    tx,
    `select coalesce(sum(identity_tries), 0)::int as count from (
       select identity_tries, created_at from phone_calls where member_id = ? order by id desc limit 1000) as calls
     where created_at > ?`,
    [memberId, since],
  );
  return row?.count ?? 0;
}

/** Whether the other side has said something in a call. */
export async function hasCallerSpoken(tx: Tx, callId: number): Promise<boolean> {
  return MessageModel.exists(tx, `call_id = ? and role = 'user'`, [callId]);
}

/** What an agent has said and done in a call. */
export interface AgentAct {
  text: string | null;
  /** The names of the tools that it has called. */
  tools: string[];
}

/** Lists the latest of what the agent has said and done in a call. */
export async function selectAgentActsOfCall(tx: Tx, callId: number): Promise<AgentAct[]> {
  return prepared<AgentAct>(
    tx,
    `select case when jsonb_typeof(content) = 'string' then content #>> '{}' end as text,
       coalesce(jsonb_path_query_array(tool_calls, '$[*].function.name'), '[]') as tools
     from messages where call_id = ? and author = 'agent' order by id desc limit 500`,
    [callId],
  );
}

export interface CallAttempt {
  callId: number;
  /** Null once there is a result. */
  unknownSince: Date | null;
  carrierCallId: string | null;
}

/** Lists the newest attempts to dial a number from one of the workspace's, in the order of their claims. */
export async function selectAttemptsToDial(
  tx: Tx,
  { remoteNumber, phoneNumberId }: Pick<PhoneCallRow, 'remoteNumber' | 'phoneNumberId'>,
  limit: number,
): Promise<CallAttempt[]> {
  // One statement, because its snapshot shows each attempt either without a result or with the carrier's id.
  return prepared<CallAttempt>(
    tx,
    `select id as "callId", case when carrier_call_id is null then claimed_at end as "unknownSince",
       carrier_call_id as "carrierCallId"
     from (select * from phone_calls where remote_number = ? and phone_number_id = ? and not inbound
         and claimed_at is not null order by id desc limit ?) as dialled
     order by claimed_at, id`,
    [remoteNumber, phoneNumberId, limit],
  );
}

/** Lists the calls that are not settled, in order of id. */
export async function selectUnsettledCalls(tx: Tx, afterId: number, limit: number): Promise<PhoneCallRow[]> {
  return PhoneCallModel.where(tx, 'settled_at is null and id > ? order by id limit ?', [afterId, limit]);
}

/** Whether the workspace has called a member at a number. */
export async function hasCalledNumberOf(tx: Tx, memberId: number, remoteNumber: string): Promise<boolean> {
  const toMember = 'remote_number = ? and member_id = ? and not inbound';
  return PhoneCallModel.exists(tx, toMember, [remoteNumber, memberId]);
}
