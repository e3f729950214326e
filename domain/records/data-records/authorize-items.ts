import type { MemberRow } from '../../../db/people/members.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { Actor } from '../../kernel/actor.js';
import { asPerson } from '../../kernel/require-person.js';
import { InvalidInput } from '../../lib/errors.js';
import { canWriteAll, requireChange, requireExternalId, requireWrite } from './record-access.js';
import type { FoundRecord, RecordToSave } from './write-options.js';

/** What was looked up of what the items name. */
export interface NamedThings {
  members: ReadonlyMap<number, Pick<MemberRow, 'kind'>>;
  /** Whose assignment a task belongs to, by the task. */
  membersOfTasks: ReadonlyMap<number, number>;
  /** Whether a member's one record may be changed without its external id, or else is in the way. */
  changesSingle: boolean;
}

/**
 * Whether an actor may write an item: for `Writer.admit`. What the actor may not know of is told in the same words as
 * what there is not: permissions come first (docs/decisions/0020).
 *
 * @throws (the function it returns) Forbidden, NotFound, InvalidInput
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
