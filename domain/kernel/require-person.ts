import { findMember, type MemberRow } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import { InvalidInput, NotFound } from '../lib/errors.js';

/** Chats, assignments and records are for a person. @throws NotFound, InvalidInput at `/memberId` for an assistant */
export async function requirePerson(tx: Tx, memberId: number): Promise<MemberRow> {
  return asPerson(await findMember(tx, memberId));
}

/** Like `requirePerson`, for a member that is already loaded. */
export function asPerson<Member extends Pick<MemberRow, 'kind'>>(member: Member | undefined): Member {
  if (member === undefined) throw new NotFound('Member');
  if (member.kind !== 'human') throw InvalidInput.field('/memberId', 'names an assistant, not a person');
  return member;
}
