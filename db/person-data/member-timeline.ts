import { statement } from '../statement.js';
import type { Tx } from '../tx.js';

/** What a timeline of a member is made of, and what its entries tell. */
export const timelineSources = ['chat', 'act', 'call', 'email', 'assignment', 'record', 'consent'] as const;
export type TimelineSource = (typeof timelineSources)[number];

/** The place of an entry: entries are in the order of their times, those of the same moment in that of their sources. */
export interface TimelinePlace {
  /** Epoch microseconds, as text: what PostgreSQL stores is finer than a Date. */
  at: string;
  source: TimelineSource;
  id: number;
}

export interface MemberTimelineEntry extends TimelinePlace {
  kind: string;
  time: Date;
  chatId: number | null;
  assignmentId: number | null;
  /** The data type of a record, the channel of a chat or of a consent. */
  about: string | null;
  recordId: number | null;
  callId: number | null;
  /** How a call or an assignment ended, or why a chat was paused. */
  outcome: string | null;
  /** Who did it; null: the member, the agent or the service. */
  actorMemberId: number | null;
}

interface Wanted {
  memberId: number;
  sources: readonly TimelineSource[];
  /** The data types whose records are shown. */
  dataTypeIds: readonly number[];
  before?: TimelinePlace | undefined;
  limit: number;
}

interface SourceSql {
  /** `?` is the member. */
  from: string;
  id: string;
  time: string;
  kind: string;
  chatId?: string;
  assignmentId?: string;
  about?: string;
  recordId?: string;
  callId?: string;
  outcome?: string;
  actor?: string;
}

const inChats = 's.chat_id in (select id from chats where member_id = ?)';

/** Ids that stand twice, for a beginning and an end, are told apart by their parity. */
const sourceSql: Record<TimelineSource, SourceSql[]> = {
  chat: [
    {
      from: 'chats s where s.member_id = ?',
      id: 's.id',
      time: 's.created_at',
      kind: "'begun'",
      chatId: 's.id',
      about: 's.channel',
      actor: 's.created_by_member_id',
    },
  ],
  act: [
    {
      from: `chat_acts s where ${inChats}`,
      id: 's.id * 2',
      time: 's.created_at',
      kind: 's.kind',
      chatId: 's.chat_id',
      outcome: 's.reason',
      actor: 's.member_id',
    },
    {
      from: `messages s where ${inChats}
        and s.author = 'person' and s.role = 'assistant' and s.member_id is not null`,
      id: 's.id * 2 + 1',
      time: 's.created_at',
      kind: "'message'",
      chatId: 's.chat_id',
      actor: 's.member_id',
    },
  ],
  call: [
    {
      from: 'phone_calls s where s.member_id = ?',
      id: 's.id',
      time: 's.created_at',
      kind: "case when s.inbound then 'incoming' else 'outgoing' end",
      chatId: 's.chat_id',
      callId: 's.id',
      outcome: 's.status',
      actor: 's.requested_by_member_id',
    },
  ],
  email: [
    {
      from: `emails s where ${inChats}`,
      id: 's.id',
      time: 's.created_at',
      kind: "case when s.direction = 'in' then 'received' else 'queued' end",
      chatId: 's.chat_id',
    },
  ],
  assignment: [
    {
      from: 'assignments s where s.member_id = ?',
      id: 's.id * 2',
      time: 's.created_at',
      kind: "'begun'",
      chatId: 's.chat_id',
      assignmentId: 's.id',
      actor: 's.created_by_member_id',
    },
    {
      from: 'assignments s where s.member_id = ? and s.concluded_at is not null',
      id: 's.id * 2 + 1',
      time: 's.concluded_at',
      kind: "'concluded'",
      chatId: 's.chat_id',
      assignmentId: 's.id',
      outcome: 's.status',
    },
  ],
  record: [
    {
      // Behind the member, the data types.
      from: `data_records r join data_record_changes s on s.record_id = r.id join data_types t on t.id = r.data_type_id
        where r.member_id = ? and r.data_type_id = any(?::bigint[])`,
      id: 's.id',
      time: 's.created_at',
      kind: 's.operation',
      about: 't.slug',
      recordId: 'r.id',
      actor: 's.actor_member_id',
    },
  ],
  consent: [
    {
      from: 'opt_out_proofs s where s.member_id = ?',
      id: 's.id * 2',
      time: 's.opted_out_at',
      kind: "'opted_out'",
      about: 's.channel',
      outcome: 's.source',
      actor: 's.by_member_id',
    },
    {
      from: 'opt_out_proofs s where s.member_id = ? and s.lifted_at is not null',
      id: 's.id * 2 + 1',
      time: 's.lifted_at',
      kind: "'opted_in'",
      about: 's.channel',
    },
  ],
};

const microseconds = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`;

/** Lists what has happened with a member, the newest first, from these sources. */
export async function selectMemberTimeline(tx: Tx, wanted: Wanted): Promise<MemberTimelineEntry[]> {
  const { memberId, dataTypeIds, sources, before, limit } = wanted;
  const place = before && [before.at, timelineSources.indexOf(before.source), before.id];
  const parts = sources.flatMap((source) =>
    sourceSql[source].map((part) => ({
      text: partOf(source, part, place !== undefined),
      bindings: [memberId, ...(source === 'record' ? [dataTypeIds] : []), ...(place ?? []), limit],
    })),
  );
  return statement<MemberTimelineEntry>(
    tx,
    `select at, source, id, kind, time, "chatId", "assignmentId", about, "recordId", "callId", outcome, "actorMemberId"
     from (${parts.map(({ text }) => text).join(' union all ')}) entry
     order by at::bigint desc, rank desc, id desc limit ?`,
    [...parts.flatMap(({ bindings }) => bindings), limit],
  );
}

function partOf(source: TimelineSource, part: SourceSql, hasBefore: boolean): string {
  const rank = timelineSources.indexOf(source);
  const place = `(${microseconds(part.time)}, ${rank}, ${part.id})`;
  return `(select ${microseconds(part.time)}::text as at, ${rank} as rank, '${source}' as source, ${part.id} as id,
      ${part.kind} as kind, ${part.time} as time, ${part.chatId ?? 'null::bigint'} as "chatId",
      ${part.assignmentId ?? 'null::bigint'} as "assignmentId", ${part.about ?? 'null::text'} as about,
      ${part.recordId ?? 'null::bigint'} as "recordId", ${part.callId ?? 'null::bigint'} as "callId",
      ${part.outcome ?? 'null::text'} as outcome, ${part.actor ?? 'null::bigint'} as "actorMemberId"
    from ${part.from}${hasBefore ? ` and ${place} < (?::bigint, ?::int, ?::bigint)` : ''}
    order by ${part.time} desc, ${part.id} desc limit ?)`;
}
