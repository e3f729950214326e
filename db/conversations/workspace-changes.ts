import type { CallStatus } from '../calls/models/phone-call.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** Which transactions were seen: all before a number, except some that were still in progress. */
export interface Seen {
  before: number;
  except: readonly number[];
}

/** A chat of which readers see something new, with who may read it. */
export interface ChangedChat {
  chatId: number;
  assignmentId: number | null;
  needsResponse: boolean;
  /** Whether it entered or left the queue, or its place in it changed. */
  queueChanged: boolean;
  memberId: number;
  createdByMemberId: number | null;
  participants: readonly number[];
}

export interface ChangedCall {
  phoneCallId: number;
  chatId: number;
  status: CallStatus;
}

/** `changed_group` numbers so many transactions alike (db/migrations/0283-changes-of-a-workspace.ts). */
const groupOf = (transaction: number) => Math.floor(transaction / 4_096);

/** SQL: a number that was not seen, up to the last that there is. Binds `before` and `except`. */
const isUnseen = (column: string, last = 'last') =>
  `((${column} >= ? or ${column} = any(?::bigint[])) and ${column} <= (select ${last} from present))`;

/**
 * Selects the chats that transactions changed which were not seen, with their calls that these changed, and tells which are
 * seen now, by one statement and so by one snapshot. Numbers of a database that was restored from elsewhere are beyond those
 * of this one, and are passed over by the index: all chats may have such numbers.
 */
export async function selectWorkspaceChanges(
  tx: Tx,
  { before, except }: Seen,
  limit: number,
): Promise<{ seen: Seen; chats: ChangedChat[]; calls: ChangedCall[] }> {
  const unseen = [before, except];
  const [found] = await prepared<{ snapshot: string; chats: ChangedChat[]; calls: ChangedCall[] }>(
    tx,
    `with present as materialized (
       select snapshot, last, last >> 12 as last_group
       from (select snapshot, pg_snapshot_xmax(snapshot)::text::bigint - 1 as last from pg_current_snapshot() as snapshot) as now
     ),
     changed as materialized (
       select id, member_id, created_by_member_id, needs_response, queue_changed_in from chats
       where ${isUnseen('changed_group', 'last_group')} and ${isUnseen('changed_in')}
       limit ${limit}
     ),
     called as (
       select call.id, call.chat_id, call.status
       from changed join phone_calls call on call.chat_id = changed.id
       where ${isUnseen('call.changed_in')}
       limit ${limit}
     )
     select snapshot::text,
       coalesce((select jsonb_agg(jsonb_build_object('chatId', chat.id, 'assignmentId', assignment.id,
           'needsResponse', needs_response, 'queueChanged', coalesce(${isUnseen('queue_changed_in')}, false),
           'memberId', chat.member_id, 'createdByMemberId', chat.created_by_member_id,
           'participants', array(select member_id from chat_participants where chat_id = chat.id)))
         from changed chat left join assignments assignment on assignment.chat_id = chat.id), '[]') as chats,
       coalesce((select jsonb_agg(jsonb_build_object('phoneCallId', id, 'chatId', chat_id, 'status', status))
         from called), '[]') as calls
     from present`,
    [groupOf(before), [...new Set(except.map(groupOf))], ...unseen, ...unseen, ...unseen],
  );
  if (found === undefined) throw new Error('the snapshot of a statement is always told');
  return { ...found, seen: seenBy(found.snapshot) };
}

/** What a snapshot sees, as PostgreSQL writes it: `10:20:10,14,15`. */
function seenBy(snapshot: string): Seen {
  const [, before = '', inProgress = ''] = snapshot.split(':');
  return { before: Number(before), except: inProgress.split(',').filter(Boolean).map(Number) };
}

/** The transaction before which all were seen: whoever goes on there misses none, and may see some again. */
export function seenWhollyBefore({ before, except }: Seen): number {
  return Math.min(before, ...except);
}
