import type { Tx } from '../../../db/database.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { type FieldError, Forbidden, InvalidInput } from '../../lib/errors.js';
import { escapePointer } from '../../lib/json-schema.js';
import { accessModes, canWriteAll } from '../../records/data-records/record-access.js';
import {
  type SavedRecord,
  type WriteOptions,
  writeRecords,
} from '../../records/data-records/writing/write-records.js';
import type { CheckedSignUp } from './check-sign-up.js';
import type { SignUpInput } from './sign-up-input.js';

/**
 * Writes the records of the person who signs up; the transaction has locked the member. They are written on behalf of
 * that person, so only records that the person may not change require a permission.
 *
 * @throws InvalidInput with every problem, Forbidden, Conflict `record_retired`
 */
export async function writeData(
  tx: Tx,
  { actor, clock }: CommandContext,
  { types, defaultRegion }: Pick<CheckedSignUp, 'types' | 'defaultRegion'>,
  memberId: number,
  data: NonNullable<SignUpInput['data']>,
): Promise<void> {
  const errors: FieldError[] = [];
  // All transactions write the types in the same order, which prevents deadlocks.
  for (const type of types) {
    const given = data[type.slug];
    if (given === undefined) continue;
    const authorize: WriteOptions['authorize'] = (_, found) => {
      const isTheirs = found?.record.memberId === memberId && found.record.accessMode !== accessModes.own;
      if (isTheirs && !canWriteAll(actor, type)) throw new Forbidden('records:write');
    };
    const writer: WriteOptions = {
      actorMemberId: actor.memberId,
      now: clock.now(),
      defaultRegion,
      authorize,
    };
    const item = { memberId, externalId: given.externalId ?? null, fieldValues: given.values };
    const [saved] = await writeRecords(tx, writer, type, [item]);
    errors.push(...errorsOf(type, saved));
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
}

/** The errors of a record, with pointers into the body. @throws errors that are not about a field */
function errorsOf({ slug }: DataTypeRow, saved: SavedRecord | undefined): FieldError[] {
  if (saved?.status !== 'failed') return [];
  if (!(saved.reason instanceof InvalidInput)) throw saved.reason;
  return saved.errors.map(({ pointer, message }) => ({
    pointer: `/data/${escapePointer(slug)}${pointer.replace(/^\/fieldValues/, '/values')}`,
    message,
  }));
}
