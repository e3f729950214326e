import { recordsOfMember } from '../../../db/queries/data-records.js';
import { allDataTypes } from '../../../db/queries/data-types.js';
import { labelsOfMembers } from '../../../db/queries/member-labels.js';
import { findMember } from '../../../db/queries/members.js';
import type { CelContext, CelRecord } from '../../cel.js';
import { accessModes } from '../../data-records/record-access.js';
import { currentTask, type Machine } from './machine.js';

/**
 * What guards, conditions and templates of an assignment see at this moment (design section 6): all records of the
 * member, or, where the member is shown it, those that it sees itself.
 */
export async function celContextOf(machine: Machine, see: 'all' | 'shown' = 'all'): Promise<CelContext> {
  const { tx, assignment, chat } = machine;
  const [member, labels, { formData, data }] = await Promise.all([
    findMember(tx, assignment.memberId),
    labelsOfMembers(tx, [assignment.memberId]),
    memberData(machine, see),
  ]);
  return {
    member: {
      id: assignment.memberId,
      name: member?.name ?? null,
      locale: member?.locale ?? null,
      labels: (labels.get(assignment.memberId) ?? []).map((label) => label.slug),
      form_data: formData,
      data,
    },
    assignment: {
      id: assignment.id,
      status: assignment.status,
      outcome: assignment.outcome,
      is_test: assignment.isTest,
      created_at: assignment.createdAt,
    },
    chat: { id: chat.id, channel: chat.channel, paused: chat.paused, message_count: chat.messageCount },
    tasks: taskNames(machine),
    call: null,
    now: machine.now,
  };
}

/** The same with nothing in it of what is kept about the member. */
export function withoutRecords(context: CelContext): CelContext {
  return { ...context, member: { ...context.member, form_data: {}, data: {} } };
}

async function memberData(
  machine: Machine,
  see: 'all' | 'shown',
): Promise<{ formData: Record<string, CelRecord>; data: Record<string, CelRecord[]> }> {
  const [types, records] = await Promise.all([
    allDataTypes(machine.tx),
    recordsOfMember(machine.tx, machine.assignment.memberId),
  ]);
  const formData: Record<string, CelRecord> = {};
  const data: Record<string, CelRecord[]> = {};
  for (const type of types) {
    const own = records
      .filter((record) => record.dataTypeId === type.id)
      .filter(({ accessMode }) => see === 'all' || accessMode !== accessModes.hidden)
      .map((record) => record.fieldValues as CelRecord);
    if (type.isCollection) data[type.slug] = own;
    else formData[type.slug] = own[0] ?? {};
  }
  return { formData, data };
}

function taskNames(machine: Machine): CelContext['tasks'] {
  const named = [...machine.tree.byId.values()].map((task) => ({ task, row: machine.rows.get(task.id) }));
  const namesWhere = (key: 'visitedAt' | 'completedAt') =>
    named.filter(({ row }) => row !== undefined && row[key] !== null).map(({ task }) => task.name);
  return {
    visited: namesWhere('visitedAt'),
    completed: namesWhere('completedAt'),
    current: currentTask(machine).name,
  };
}
