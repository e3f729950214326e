import type { MemberRoleRow } from '../../../../db/people/member-roles.js';
import type { MemberRow } from '../../../../db/people/members.js';
import { lockMembers } from '../../../../db/people/write-members.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { singleRecordsOf } from '../../../../db/records/single-records.js';
import type { Tx } from '../../../../db/tx.js';
import { giverOf } from '../../../files/file-access.js';
import type { Actor } from '../../../kernel/actor.js';
import { Forbidden } from '../../../lib/errors.js';
import { writeRecords } from '../../../records/data-records/writing/write-records.js';
import type { FieldValues } from '../../../records/field-values.js';
import { requireManages } from '../../member-roles/role-grants.js';
import { type AddedMember, addMembers } from '../add-member.js';
import { type ChangedMember, changeMembers } from '../change-member.js';
import { takenErrors } from '../identifiers.js';
import { vouchForAddresses } from '../unproved-identifiers.js';
import { formColumnName } from './csv-columns.js';
import type { Matched } from './import-matching.js';
import type { MemberImport, MemberRowOutcome } from './member-import.js';
import { columnError, type PreparedRow } from './parse-import-rows.js';

/** The transaction of a batch, with what its rows need and their outcomes. */
export interface ImportContext extends Pick<MemberImport, 'newMemberRoleId'> {
  tx: Tx;
  actor: Actor;
  now: Date;
  defaultRegion: string;
  roles: readonly MemberRoleRow[];
  types: readonly DataTypeRow[];
  outcomes: MemberRowOutcome[];
  fail(index: number, reasons: readonly string[]): void;
}

/** Records of these rows, by index, were refused after their members were written. */
export class RowsRefused extends Error {
  override readonly name = 'RowsRefused';
  constructor(readonly reasons: ReadonlyMap<number, readonly string[]>) {
    super('Records of some rows were refused.');
  }
}

/** Writes the rows, each about another member. @throws RowsRefused, after which the caller has to roll back */
export async function writePeople(
  desk: ImportContext,
  matched: readonly Matched<PreparedRow>[],
): Promise<void> {
  const { tx, now, newMemberRoleId } = desk;
  const fresh = matched.flatMap(({ row, memberId }) => (memberId === null ? [row] : []));
  const known = await permitted(desk, matched);
  const added = await addMembers(
    tx,
    { now },
    fresh.map(({ changes, labelIds }) => ({
      values: { ...changes, memberRoleId: newMemberRoleId },
      labelIds,
      isVouchedFor: true,
    })),
  );
  const changed = await changeMembers(
    tx,
    { now },
    known.map(({ row: { changes, labelIds }, member }) => ({ member, changes, labelIds })),
  );
  await vouchForAddresses(
    tx,
    known.map(({ row: { changes }, member }) => ({ memberId: member.id, changes })),
  );
  const rows = [...fresh, ...known.map(({ row }) => row)];
  const results: readonly (AddedMember | ChangedMember)[] = [...added, ...changed];
  for (const [place, { index }] of rows.entries()) note(desk, index, results[place]);
  await writeForms(desk, rows);
}

/** Returns the rows about existing members that the actor may change; rows about members with more permissions fail. */
async function permitted(
  { tx, actor, roles, fail }: ImportContext,
  matched: readonly Matched<PreparedRow>[],
): Promise<{ row: PreparedRow; member: MemberRow }[]> {
  const ids = matched.flatMap(({ memberId }) => memberId ?? []);
  if (ids.length === 0) return [];
  const members = new Map((await lockMembers(tx, ids)).map((member) => [member.id, member]));
  return matched.flatMap(({ row, memberId }) => {
    if (memberId === null) return [];
    const member = members.get(memberId);
    const reason = member === undefined ? gone : whyNot(member);
    if (member !== undefined && reason === undefined) return [{ row, member }];
    fail(row.index, [reason ?? gone]);
    return [];
  });

  function whyNot(member: MemberRow): string | undefined {
    if (member.kind !== 'human') return 'The member is an assistant.';
    try {
      requireManages(actor, roles, member);
      return undefined;
    } catch (error) {
      if (error instanceof Forbidden) return `You may not change this member. ${error.message}`;
      throw error;
    }
  }
}

const gone = 'The member was deleted meanwhile.';

function note(
  { outcomes, fail }: ImportContext,
  index: number,
  result: AddedMember | ChangedMember | undefined,
) {
  if (result === undefined || result.status === 'gone') fail(index, [gone]);
  else if (result.status === 'taken') fail(index, takenErrors(result.taken).map(columnError));
  else outcomes[index] = { status: result.status, memberId: result.member.id };
}

async function writeForms(desk: ImportContext, rows: readonly PreparedRow[]): Promise<void> {
  const refused = new Map<number, readonly string[]>();
  for (const type of desk.types) {
    const items = await formsOf(desk, type, rows);
    if (items.length === 0) continue;
    const { tx, actor, now, defaultRegion } = desk;
    const options = {
      actorMemberId: actor.memberId,
      now,
      defaultRegion,
      fileGiver: giverOf(actor),
      authorize: undefined,
    };
    const saved = await writeRecords(tx, options, type, items);
    for (const [place, { index, memberId }] of items.entries()) {
      const result = saved[place];
      if (result?.status === 'failed') {
        const told =
          result.errors.length > 0 ? result.errors : [{ pointer: '', message: result.reason.message }];
        refused.set(index, [...(refused.get(index) ?? []), ...told.map((error) => formError(type, error))]);
      } else if (result?.status !== 'unchanged' && desk.outcomes[index]?.status === 'unchanged') {
        desk.outcomes[index] = { status: 'updated', memberId };
      }
    }
  }
  if (refused.size > 0) throw new RowsRefused(refused);
}

interface FormToWrite {
  index: number;
  memberId: number;
  fieldValues: FieldValues;
}

/** The records to write of a type, without those that would only create an empty record. */
async function formsOf(
  { tx, outcomes }: ImportContext,
  type: DataTypeRow,
  rows: readonly PreparedRow[],
): Promise<FormToWrite[]> {
  const items = rows.flatMap(({ index, forms }): FormToWrite[] => {
    const outcome = outcomes[index];
    const fieldValues = forms.get(type.id);
    if (fieldValues === undefined || outcome === undefined || outcome.status === 'failed') return [];
    return [{ index, memberId: outcome.memberId, fieldValues }];
  });
  const emptying = items.filter(isEmptying).map(({ memberId }) => memberId);
  const there = new Set((await singleRecordsOf(tx, [type.id], emptying)).map(({ memberId }) => memberId));
  return items.filter((item) => !isEmptying(item) || there.has(item.memberId));
}

function isEmptying({ fieldValues }: FormToWrite): boolean {
  return Object.values(fieldValues).every((value) => value === null);
}

function formError(type: DataTypeRow, { pointer, message }: { pointer: string; message: string }): string {
  const [, slug] = /^\/fieldValues\/(.+)$/.exec(pointer) ?? [];
  return `${slug === undefined ? `form.${type.slug}` : formColumnName(type, { slug })}: ${message}`;
}
