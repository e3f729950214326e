import { selectMemberRoles } from '../../../../db/people/member-roles.js';
import { allDataTypes, type DataTypeRow } from '../../../../db/records/data-types.js';
import type { Actor } from '../../../kernel/actor.js';
import type { CommandContext } from '../../../kernel/context.js';
import { InvalidInput } from '../../../lib/errors.js';
import type { BlankCells } from '../../../records/csv/cells.js';
import { type CsvReading, openCsv } from '../../../records/csv/open-csv.js';
import { canWriteAll } from '../../../records/data-records/record-access.js';
import { chooseAssignableRole } from '../assignable-role.js';
import { expectedMemberColumns, requireIdentifyingColumn, typesIn } from './csv-columns.js';
import type { MemberImport } from './member-import.js';

/** Smaller than usual, because each row takes several writes: bounds how long locks are held. */
export const rowsInBatch = 50;

export interface FileToImport extends CsvReading {
  path: string;
  /** The role of new members; default: the first role without admin permissions. */
  newMemberRoleId?: number | undefined;
  blankCells?: BlankCells | undefined;
}

export interface ImportPlan extends Omit<Awaited<ReturnType<typeof openCsv>>, 'columns'> {
  settings: MemberImport;
}

/** Reads a whole file of members, and checks that the actor may import it. @throws Forbidden, InvalidInput */
export async function planMemberImport(
  { db, actor }: CommandContext,
  { path, newMemberRoleId, blankCells = 'keep', ...reading }: FileToImport,
): Promise<ImportPlan> {
  actor.require('members:write');
  const { role, types } = await db.readInWorkspace(actor.workspaceId, async (tx) => ({
    role: await selectMemberRoles(tx)
      .then((roles) => chooseAssignableRole(roles, actor, newMemberRoleId))
      .catch(atNewMemberRole),
    types: await allDataTypes(tx),
  }));
  const { columns, ...file } = await openCsv(path, expectedMemberColumns(types), reading);
  requireIdentifyingColumn(columns);
  const written = typesIn(columns, types);
  requireWritesAll(actor, written);
  const dataTypeIds = written.map(({ id }) => id);
  return { ...file, settings: { columns, dataTypeIds, newMemberRoleId: role.id, blankCells } };
}

/** @throws Forbidden */
export function requireWritesAll(actor: Actor, types: readonly DataTypeRow[]): void {
  for (const type of types) if (!canWriteAll(actor, type)) actor.require('records:write');
}

/** Points role errors at the field of this request. */
function atNewMemberRole(error: unknown): never {
  if (!(error instanceof InvalidInput)) throw error;
  const errors = error.errors.map(({ message }) => ({ pointer: '/newMemberRoleId', message }));
  throw InvalidInput.fields(errors, error.code);
}
