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
} from '../../records/data-records/write-records.js';
import type { CheckedSignUp } from './check-sign-up.js';
import type { SignUpInput } from './sign-up-input.js';

/**
 * Writes the records of who signs up, which the transaction holds: on their behalf, so that it takes no permission but
 * for records that they may not change themselves.
 *
 * @throws InvalidInput with all that is wrong, Forbidden, Conflict `record_retired`
 */
export async function writeData(
  tx: Tx,
  { actor, clock }: CommandContext,
  { types, defaultRegion }: Pick<CheckedSignUp, 'types' | 'defaultRegion'>,
  memberId: number,
  data: NonNullable<SignUpInput['data']>,
): Promise<void> {
  const errors: FieldError[] = [];
  // One type after the other, in one order for everybody.
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

/** What is wrong with a record, where the body has it. @throws what is no error of a field */
function errorsOf({ slug }: DataTypeRow, saved: SavedRecord | undefined): FieldError[] {
  if (saved?.status !== 'failed') return [];
  if (!(saved.reason instanceof InvalidInput)) throw saved.reason;
  return saved.errors.map(({ pointer, message }) => ({
    pointer: `/data/${escapePointer(slug)}${pointer.replace(/^\/fieldValues/, '/values')}`,
    message,
  }));
}
