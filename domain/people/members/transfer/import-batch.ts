import { findMemberLabelsBySlug, pinMemberLabels } from '../../../../db/people/member-labels.js';
import { selectMemberRoles } from '../../../../db/people/member-roles.js';
import { findIdentifierHolders, lockIdentifiers } from '../../../../db/people/write-members.js';
import { findErasedIdentifiers } from '../../../../db/person-data/erased-identifiers.js';
import { pinDataType } from '../../../../db/records/data-types.js';
import type { Tx } from '../../../../db/tx.js';
import type { Actor } from '../../../kernel/actor.js';
import type { ServiceContext } from '../../../kernel/context.js';
import { workspaceRegion } from '../../../kernel/workspace-region.js';
import type { CsvRow } from '../../../records/csv/parse-csv.js';
import { matchRows } from './import-matching.js';
import { type ImportContext, RowsRefused, writePeople } from './import-writing.js';
import type { MemberImport, MemberRowOutcome } from './member-import.js';
import { memberRowParser, normalizeRow, type PreparedRow } from './parse-import-rows.js';

/** What else happens in the transaction of a batch, which may be repeated. */
export interface WithinBatch {
  /** When the import was asked for. */
  askedAt: Date;
  /** @returns who writes the rows, and how */
  begin(tx: Tx): Promise<{ actor: Actor; settings: MemberImport }>;
  end?(tx: Tx, outcomes: readonly MemberRowOutcome[]): Promise<void>;
}

/**
 * Writes each row as a whole or not at all: if a record is refused after its member was written, the transaction is
 * rolled back and repeated without that row. @returns the outcome of each row, in order
 */
export async function importMemberRows(
  { db, clock }: ServiceContext,
  workspaceId: number,
  rows: readonly CsvRow[],
  within: WithinBatch,
): Promise<MemberRowOutcome[]> {
  const refused = new Map<number, readonly string[]>();
  for (;;) {
    try {
      return await db.inWorkspace(workspaceId, async (tx) => {
        const { actor, settings } = await within.begin(tx);
        const writing = { db, clock, actor, askedAt: within.askedAt };
        const outcomes = await writeRows(tx, writing, settings, rows, refused);
        await within.end?.(tx, outcomes);
        return outcomes;
      });
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      for (const [index, reasons] of error.reasons) refused.set(index, reasons);
    }
  }
}

async function writeRows(
  tx: Tx,
  context: ServiceContext & { actor: Actor; askedAt: Date },
  settings: MemberImport,
  rows: readonly CsvRow[],
  refused: ReadonlyMap<number, readonly string[]>,
): Promise<MemberRowOutcome[]> {
  const { actor, clock, askedAt } = context;
  const now = clock.now();
  const [, roles, defaultRegion, ...pinned] = await Promise.all([
    lockIdentifiers(tx, 'many'),
    selectMemberRoles(tx),
    workspaceRegion(context, tx),
    ...settings.dataTypeIds.map((id) => pinDataType(tx, id)),
  ]);
  const types = pinned.filter((type) => type !== undefined);
  const read = memberRowParser(settings.columns, types, settings.blankCells);
  const readRows = rows.map(read);
  const slugs = new Set(readRows.flatMap(({ labels }) => labels ?? []));
  const named = await findMemberLabelsBySlug(tx, [...slugs]);
  const labels = await pinMemberLabels(
    tx,
    named.map(({ id }) => id),
  );

  const outcomes: MemberRowOutcome[] = new Array(rows.length);
  const fail = (index: number, reasons: readonly string[]) => {
    outcomes[index] = { status: 'failed', errors: reasons.map((message) => ({ message })) };
  };
  const prepare = {
    defaultRegion,
    now,
    labelIds: new Map([...labels.values()].map(({ slug, id }) => [slug, id])),
  };
  const prepared = readRows.flatMap((row, index): PreparedRow[] => {
    const one = normalizeRow(row, index, prepare);
    const reasons = refused.get(index) ?? one.errors;
    if (reasons.length === 0) return [one];
    fail(index, reasons);
    return [];
  });

  const desk: ImportContext = { tx, actor, now, defaultRegion, roles, types, ...settings, outcomes, fail };
  for (let rest = prepared; rest.length > 0; ) {
    const holders = await findIdentifierHolders(
      tx,
      rest.map(({ changes }) => changes),
    );
    const { matched, ambiguous, later } = matchRows(rest, holders);
    for (const { index } of ambiguous) fail(index, ['email and phone are those of two different members']);
    // After the look-up of members: who is not found any more was erased before this statement.
    const erased = await erasedAmong(
      tx,
      matched.map(({ row }) => row),
      askedAt,
    );
    for (const { index } of erased) fail(index, [wasErased]);
    await writePeople(
      desk,
      matched.filter(({ row }) => !erased.has(row)),
    );
    rest = later;
  }
  return outcomes;
}

const wasErased = 'The person was erased after the import was asked for.';
/** The clocks of two hosts may differ by less. */
const clocksDifferMs = 60_000;

/** Those of the rows that are about somebody who was erased since the import was asked for. */
async function erasedAmong(tx: Tx, rows: readonly PreparedRow[], askedAt: Date): Promise<Set<PreparedRow>> {
  const after = new Date(askedAt.getTime() - clocksDifferMs);
  const identifiers = new Set(rows.flatMap(identifiersOf));
  const erased = await findErasedIdentifiers(tx, [...identifiers], after);
  return new Set(rows.filter((row) => identifiersOf(row).some((identifier) => erased.has(identifier))));
}

function identifiersOf({ changes: { email, phone, externalId } }: PreparedRow): string[] {
  return [email, phone, externalId].filter((one) => one != null);
}
