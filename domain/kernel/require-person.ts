import type { Tx } from '../../db/database.js';
import { findMember, type MemberRow } from '../../db/people/members.js';
import { InvalidInput, NotFound } from '../lib/errors.js';

/**
 * The person a chat or an assignment is with, or a record is about: assistants are members too, but nobody talks to one
 * on behalf of another.
 *
 * @throws NotFound, InvalidInput at `/memberId` for an assistant
 */
export async function requirePerson(tx: Tx, memberId: number): Promise<MemberRow> {
  return asPerson(await findMember(tx, memberId));
}

/** `requirePerson` for a member that was looked up. */
export function asPerson<Member extends Pick<MemberRow, 'kind'>>(member: Member | undefined): Member {
  if (member === undefined) throw new NotFound('Member');
  if (member.kind !== 'human') throw InvalidInput.field('/memberId', 'names an assistant, not a person');
  return member;
}
