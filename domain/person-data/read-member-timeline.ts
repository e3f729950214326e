import { findMember } from '../../db/people/members.js';
import {
  type MemberTimelineEntry,
  selectMemberTimeline,
  type TimelinePlace,
  type TimelineSource,
  timelineSources,
} from '../../db/person-data/member-timeline.js';
import { allDataTypes } from '../../db/records/data-types.js';
import type { Actor } from '../kernel/actor.js';
import type { CommandContext } from '../kernel/context.js';
import { InvalidInput, NotFound } from '../lib/errors.js';
import { canReadAll } from '../records/data-records/record-access.js';

interface MemberTimeline {
  items: MemberTimelineEntry[];
  /** Where the timeline goes on. */
  next?: string;
  /** What the reader may not see. */
  leftOut: TimelineSource[];
}

/**
 * What has happened with a member, in one order, the newest first: of what the reader may read. Of records, the data types
 * that the reader reads. @throws Forbidden, NotFound, InvalidInput
 */
export async function readMemberTimeline(
  { db, actor }: CommandContext,
  memberId: number,
  query: { source?: readonly TimelineSource[]; before?: string; limit: number },
): Promise<MemberTimeline> {
  actor.require('members:read');
  const before = query.before === undefined ? undefined : placeOf(query.before);
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMember(tx, memberId)) === undefined) throw new NotFound('Member');
    const types = await allDataTypes(tx);
    const dataTypeIds = types.filter((type) => canReadAll(actor, type)).map(({ id }) => id);
    const readable = timelineSources.filter((source) => mayRead(actor, source, dataTypeIds));
    const wanted = query.source ?? timelineSources;
    const sources = readable.filter((source) => wanted.includes(source));
    const leftOut = wanted.filter((source) => !readable.includes(source));
    if (sources.length === 0) return { items: [], leftOut };
    const limit = query.limit + 1;
    const found = await selectMemberTimeline(tx, { memberId, sources, dataTypeIds, before, limit });
    const items = found.slice(0, query.limit);
    const last = items.at(-1);
    if (found.length <= query.limit || last === undefined) return { items, leftOut };
    return { items, next: `${last.at}.${timelineSources.indexOf(last.source)}.${last.id}`, leftOut };
  });
}

function mayRead(actor: Actor, source: TimelineSource, dataTypeIds: readonly number[]): boolean {
  switch (source) {
    case 'assignment':
      return actor.can('assignments:read');
    case 'record':
      return actor.can('data:read') || dataTypeIds.length > 0;
    case 'consent':
      return true;
    default:
      return actor.can('chats:read');
  }
}

/** @throws InvalidInput */
function placeOf(before: string): TimelinePlace {
  const [at = '', rank, id] = before.split('.');
  const source = timelineSources[Number(rank)];
  if (!/^\d{1,17}$/.test(at) || source === undefined || !Number.isSafeInteger(Number(id))) {
    throw InvalidInput.field('/before', 'is not the next of a page before');
  }
  return { at, source, id: Number(id) };
}
