import { insertLabel } from '../../db/lib/labels.js';
import { findMemberLabelsBySlug, memberLabelTable } from '../../db/people/member-labels.js';
import type { Tx } from '../../db/tx.js';
import { colleague } from '../kernel/who-reads.js';
import { InvalidInput, NotFound } from '../lib/errors.js';
import { writeRecord } from '../records/data-records/write-record.js';
import type { SimulatedMember } from './script.js';

/** The ids of labels with these slugs. Labels that do not exist are created. */
export async function labelIdsOf(tx: Tx, slugs: readonly string[], now: Date): Promise<number[]> {
  const found = await findMemberLabelsBySlug(tx, slugs);
  const missing = slugs.filter((slug) => found.every((label) => label.slug !== slug));
  const created = await Promise.all(
    missing.map((slug) => insertLabel(tx, memberLabelTable, { name: slug, slug, color: '#000000' }, now)),
  );
  return [...found, ...created].map(({ id }) => id);
}

/** Writes records of the member, in order. @throws InvalidInput at `<pointer>/<data type>/<index>/<field>` */
export async function writeRecords(
  tx: Tx,
  memberId: number,
  records: NonNullable<SimulatedMember['records']>,
  { pointer, ...terms }: { now: Date; defaultRegion: string; pointer: string },
): Promise<void> {
  for (const [dataTypeSlug, ofType] of Object.entries(records)) {
    for (const [index, values] of ofType.entries()) {
      const record = { dataTypeSlug, memberId, values, assignmentTaskId: null, isCollecting: false };
      try {
        await writeRecord(tx, {
          ...record,
          actorMemberId: null,
          fileGiver: colleague(memberId),
          ...terms,
        });
      } catch (error) {
        const ofRecord = `${pointer}/${dataTypeSlug}`;
        if (error instanceof NotFound) throw InvalidInput.field(ofRecord, 'names no data type');
        if (!(error instanceof InvalidInput)) throw error;
        const inRecord = error.errors.map((field) => ({
          ...field,
          pointer: `${ofRecord}/${index}${field.pointer.replace(/^\/fieldValues/, '')}`,
        }));
        throw InvalidInput.fields(inRecord, error.code);
      }
    }
  }
}
