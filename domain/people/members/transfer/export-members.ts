import type { Database } from '../../../../db/database.js';
import { countFitting } from '../../../../db/lib/within-bytes.js';
import { type MemberDetails, type MemberFilter, selectMembersAfter } from '../../../../db/people/members.js';
import { allDataTypes } from '../../../../db/records/data-types.js';
import { singleRecordsOf, sizesOfSingleRecords } from '../../../../db/records/single-records.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../../kernel/context.js';
import { type Cell, cellOfField } from '../../../records/csv/cells.js';
import { formatList } from '../../../records/csv/lists.js';
import { type CsvOptions, writeCsv } from '../../../records/csv/write-csv.js';
import { canReadAll } from '../../../records/data-records/record-access.js';
import type { FieldValues } from '../../../records/field-values.js';
import { visibleMembers } from '../read-members.js';
import { type FormColumn, formColumns, type MemberColumn, memberColumns } from './csv-columns.js';

const membersInBatch = 200;

/**
 * The file can be imported unchanged. Reads batches in order of id while it is consumed: no member appears twice.
 * @throws Forbidden, InvalidInput
 */
export async function exportMembers(
  context: CommandContext,
  asked: Omit<MemberFilter, 'ids' | 'kind'>,
  options: CsvOptions = {},
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const { db, actor } = context;
  actor.require('members:read');
  const { filter, types } = await db.readInWorkspace(actor.workspaceId, async (tx) => ({
    filter: await visibleMembers(tx, context, { ...asked, kind: 'human' }),
    types: await allDataTypes(tx),
  }));
  await db.inWorkspace(actor.workspaceId, async (tx) => recordAudit(tx, context, 'members:exported'));
  const forms = formColumns(types.filter((type) => canReadAll(actor, type)));
  const columns = [...memberColumns.keys(), ...forms.map(({ name }) => name)];
  return {
    fileName: 'members.csv',
    text: writeCsv(columns, rowsOf(db, actor.workspaceId, filter, forms), options),
  };
}

async function* rowsOf(
  db: Database,
  workspaceId: number,
  filter: MemberFilter,
  forms: readonly FormColumn[],
): AsyncGenerator<Cell[]> {
  const typeIds = [...new Set(forms.map(({ type }) => type.id))];
  for (let after = 0; ; ) {
    const since = after;
    const { members, isLast, values } = await db.readInWorkspace(workspaceId, async (tx) => {
      const next = await selectMembersAfter(tx, filter, since, membersInBatch);
      const sizes = await sizesOfSingleRecords(
        tx,
        typeIds,
        next.map(({ id }) => id),
      );
      const found = next.slice(0, countFitting(sizes));
      const memberIds = found.map(({ id }) => id);
      const records = await singleRecordsOf(tx, typeIds, memberIds);
      const keyed = records.map((one) => [`${one.memberId} ${one.dataTypeId}`, one.fieldValues] as const);
      const isLast = next.length < membersInBatch && found.length === next.length;
      return { members: found, isLast, values: new Map<string, FieldValues>(keyed) };
    });
    for (const member of members) {
      const own = [...memberColumns.values()].map((attribute) => ownCell(member, attribute));
      const cells = forms.map(({ type, field }) =>
        cellOfField(field, values.get(`${member.id} ${type.id}`)?.[field.slug]),
      );
      yield [...own, ...cells];
    }
    const last = members.at(-1);
    if (last === undefined || isLast) return;
    after = last.id;
  }
}

function ownCell(member: MemberDetails, attribute: MemberColumn): Cell {
  return attribute === 'labels' ? formatList(member.labels.map(({ slug }) => slug)) : member[attribute];
}
