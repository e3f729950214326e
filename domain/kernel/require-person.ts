import type { Tx } from '../../db/database.js';
import { findMember, type MemberRow } from '../../db/people/members.js';
import { InvalidInput, NotFound } from '../lib/errors.js';

/**
 * Loads the member that a chat, an assignment or a record is for. It must be a person: assistants are members too, but
 * cannot take this place.
 *
 * @throws NotFound, InvalidInput at `/memberId` for an assistant
 */
export async function requirePerson(tx: Tx, memberId: number): Promise<MemberRow> {
  return asPerson(await findMember(tx, memberId));
}

/** Like `requirePerson`, for a member that is already loaded. */
export function asPerson<Member extends Pick<MemberRow, 'kind'>>(member: Member | undefined): Member {
  if (member === undefined) throw new NotFound('Member');
  if (member.kind !== 'human') throw InvalidInput.field('/memberId', 'names an assistant, not a person');
  return member;
}
