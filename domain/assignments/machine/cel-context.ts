import type { AssignmentTaskRow } from '../../../db/assignments/assignment-tasks.js';
import { findLatestCallOfChat } from '../../../db/calls/calls-of-chat.js';
import { labelsOfMembers } from '../../../db/people/member-labels.js';
import { findMember } from '../../../db/people/members.js';
import { allDataTypes, dataTypesBySlug } from '../../../db/records/data-types.js';
import { expressionsOfTask } from '../../definitions/revision-rules/expressions-of-task.js';
import type { TaskTree } from '../../definitions/task-tree/types.js';
import {
  type CelContext,
  type CelRecord,
  celDataBounds,
  dataNamedIn,
  type NamedData,
} from '../../lib/cel.js';
import { newestRecords } from '../../records/data-records/queries/newest-records.js';
import { currentTask, type Machine } from './machine.js';

/**
 * The context of an assignment's guards, conditions and templates, with the member's newest records (`shown`: those
 * that the member may see) of the data types that the definition names, within size limits (decision 64).
 */
export async function celContextOf(
  machine: Machine,
  seen: 'all' | 'shown' | 'none' = 'all',
): Promise<CelContext> {
  const { tx, assignment, chat } = machine;
  const { memberId } = assignment;
  const [member, labels, data, call] = await Promise.all([
    findMember(tx, memberId),
    labelsOfMembers(tx, [memberId]),
    seen === 'none' ? noData : memberData(machine, seen),
    seen === 'none' || namesCall(machine) ? findLatestCallOfChat(tx, chat.id) : undefined,
  ]);
  return {
    member: {
      id: memberId,
      name: member?.name ?? null,
      locale: member?.locale ?? null,
      labels: (labels.get(memberId) ?? []).map(({ slug }) => slug),
      ...data,
    },
    assignment: {
      id: assignment.id,
      status: assignment.status,
      outcome: assignment.outcome,
      is_test: assignment.isTest,
      created_at: assignment.createdAt,
    },
    chat: { id: chat.id, channel: chat.channel, paused: chat.paused, message_count: chat.messageCount },
    tasks: {
      visited: namesWhere(machine, ({ visitedAt }) => visitedAt !== null),
      completed: namesWhere(machine, ({ completedAt }) => completedAt !== null),
      timed_out: namesWhere(machine, ({ endedBy }) => endedBy === 'time_limit'),
      current: currentTask(machine).name,
    },
    call: {
      direction: call === undefined ? null : call.inbound ? 'inbound' : 'outbound',
      status: call?.status ?? null,
      outcome: call?.terminationReason ?? null,
      attempts: call?.outboundCalls ?? 0,
    },
    now: machine.now,
  };
}

/** A context without what identifies the member or is stored about it, for texts that a stranger may hear. */
export function withoutPerson(context: CelContext): CelContext {
  return { ...context, member: { ...context.member, name: null, labels: [], ...noData } };
}

type MemberData = Pick<CelContext['member'], 'form_data' | 'data' | 'partial_data'>;

const noData: MemberData = { form_data: {}, data: {}, partial_data: [] };

async function memberData({ tx, tree, assignment }: Machine, seen: 'all' | 'shown'): Promise<MemberData> {
  const named = namedBy(tree, assignment.revisionId).data;
  const dataTypes = named === 'all' ? await allDataTypes(tx) : await dataTypesBySlug(tx, [...named]);
  const of = { memberId: assignment.memberId, withHidden: seen === 'all' };
  const found = await newestRecords(tx, dataTypes, of, celDataBounds);
  const formData: Record<string, CelRecord> = {};
  const data: Record<string, CelRecord[]> = {};
  for (const { dataType, records } of found) {
    const values = records as CelRecord[];
    if (dataType.isCollection) data[dataType.slug] = values;
    else formData[dataType.slug] = values[0] ?? {};
  }
  const partial = found.filter(({ isPartial }) => isPartial).map(({ dataType }) => dataType.slug);
  return { form_data: formData, data, partial_data: partial };
}

function namesWhere({ tree, rows }: Machine, has: (row: AssignmentTaskRow) => boolean): string[] {
  return [...tree.byId.values()]
    .filter(({ id }) => {
      const row = rows.get(id);
      return row !== undefined && has(row);
    })
    .map(({ name }) => name);
}

/** Few definitions look at calls, and a context is read several times for each change of a task. */
function namesCall({ tree, assignment }: Machine): boolean {
  return namedBy(tree, assignment.revisionId).call;
}

interface Named {
  data: NamedData;
  call: boolean;
}

const maxKept = 1_000;
const kept = new Map<number, Named>();

/** What a definition refers to; cached by revision, as revisions with runs are immutable. */
function namedBy(tree: TaskTree, revisionId: number): Named {
  const known = kept.get(revisionId);
  if (known !== undefined) return known;
  const found = findNamed(tree);
  const oldest = kept.size >= maxKept ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(revisionId, found);
  return found;
}

function findNamed(tree: TaskTree): Named {
  const texts = [...tree.byId.values()].flatMap((task) => expressionsOfTask(task).map(({ text }) => text));
  return { data: findData(texts), call: texts.some((text) => /\bcall\b/.test(text)) };
}

function findData(texts: readonly string[]): NamedData {
  const slugs = new Set<string>();
  for (const text of texts) {
    const named = dataNamedIn(text);
    if (named === 'all') return 'all';
    for (const slug of named) slugs.add(slug);
  }
  return slugs;
}
