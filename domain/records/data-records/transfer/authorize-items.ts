import type { MemberRow } from '../../../../db/people/members.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { Actor } from '../../../kernel/actor.js';
import { asPerson } from '../../../kernel/require-person.js';
import { InvalidInput } from '../../../lib/errors.js';
import { canWriteAll, requireChange, requireExternalId, requireWrite } from '../record-access.js';
import type { FoundRecord, RecordToSave } from '../writing/write-options.js';

/** The rows that the items refer to, as far as they exist. */
export interface NamedThings {
  members: ReadonlyMap<number, Pick<MemberRow, 'kind'>>;
  /** The member that each task's assignment belongs to, by task id. */
  membersOfTasks: ReadonlyMap<number, number>;
  /** Whether an item without a known external id may change the member's single record; if not, it is a duplicate. */
  changesSingle: boolean;
}

/**
 * Returns the check of whether an actor may write an item, for `WriteOptions.authorize`. Permissions are checked before
 * existence, so that the error for a thing that the actor may not see is the same as for one that does not exist
 * (docs/decisions/0020).
 *
 * @throws (the returned function) Forbidden, NotFound, InvalidInput
 */
export function authorizeItems(
  actor: Actor,
  type: DataTypeRow,
  { members, membersOfTasks, changesSingle }: NamedThings,
): (item: RecordToSave, found: FoundRecord | undefined) => void {
  return (item, found) => {
    const { memberId, externalId, assignmentTaskId, accessMode } = item;
    const moves =
      found?.by === 'externalId' && item.memberIsDefault !== true && found.record.memberId !== memberId;
    requireWrite(actor, type, memberId);
    if (accessMode !== undefined && !canWriteAll(actor, type)) actor.require('records:write');
    if (externalId != null) {
      requireExternalId(actor, type, found?.by === 'externalId' ? found.record : undefined);
    }
    if (found?.by !== 'externalId' || moves) asPerson(members.get(memberId));
    if (found?.by === 'single' && !changesSingle) throw singleIsTaken();
    if (found !== undefined) requireChange(actor, type, found.record);
    const owner = moves ? memberId : (found?.record.memberId ?? memberId);
    if (assignmentTaskId != null && membersOfTasks.get(assignmentTaskId) !== owner) {
      throw InvalidInput.field('/assignmentTaskId', "This is not a task of the member's assignments.");
    }
  };
}

function singleIsTaken(): InvalidInput {
  const message = 'The member has a record of this type already, and the type holds one a member: update it.';
  return InvalidInput.field('/memberId', message, 'duplicate');
}
