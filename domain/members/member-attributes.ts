import type { Tx } from '../../db/database.js';
import { findMemberLabels } from '../../db/queries/member-labels.js';
import {
  findMembersByIdentifiers,
  type MemberIdentifiers,
  type MemberValues,
} from '../../db/queries/members.js';
import type { CommandContext } from '../context.js';
import { normalizeEmail } from '../email.js';
import type { FieldError } from '../errors.js';
import { normalizePhone } from '../phone.js';
import { workspaceRegion } from '../workspaces/workspace-region.js';

/** What can be written of a member. Null empties an attribute, what is left out stays. */
export interface MemberAttributes {
  email?: string | null;
  phone?: string | null;
  name?: string | null;
  dateOfBirth?: string | null;
  description?: string | null;
  externalId?: string | null;
  memberRoleId?: number;
  labelIds?: readonly number[];
  locale?: string | null;
  notifyEmail?: boolean;
  notifySms?: boolean;
  notifyVoice?: boolean;
}

export type MemberChanges = Partial<Omit<MemberValues, 'kind' | 'memberRoleId'>>;

/**
 * Attributes as they are stored (email lower-cased, phone in E.164 by the workspace's region) and everything that
 * is wrong with them, labels included, so that a caller learns of all of it at once.
 */
export async function checkAttributes(
  tx: Tx,
  { db, clock }: CommandContext,
  attributes: MemberAttributes,
  ownId?: number,
): Promise<{ changes: MemberChanges; errors: FieldError[] }> {
  const { memberRoleId: _role, labelIds, ...rest } = attributes;
  const changes: MemberChanges = { ...rest };
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ pointer: `/${field}`, message });

  if (rest.email != null) {
    const email = normalizeEmail(rest.email);
    if (email === null) refuse('email', 'This is not an email address.');
    else changes.email = email;
  }
  if (rest.phone != null) {
    const phone = normalizePhone(rest.phone, await workspaceRegion({ db }, tx));
    if (phone === null) refuse('phone', 'This is not a phone number; E.164 (+12025550123) is best.');
    else changes.phone = phone;
  }
  if (rest.dateOfBirth != null && !isPastDate(rest.dateOfBirth, clock.now())) {
    refuse('dateOfBirth', 'This is not a date in the past.');
  }
  if (rest.locale != null) {
    const locale = canonicalLocale(rest.locale);
    if (locale === undefined) refuse('locale', 'This is not a language tag such as en-US (BCP 47).');
    else changes.locale = locale;
  }
  if (errors.length === 0) errors.push(...(await takenIdentifiers(tx, changes, ownId)));
  if (labelIds !== undefined) errors.push(...(await unknownLabels(tx, labelIds)));
  return { changes, errors };
}

const takenMessages: Record<keyof MemberIdentifiers, string> = {
  email: 'Another member of the workspace has this email.',
  phone: 'Another member of the workspace has this phone number.',
  externalId: 'Another member of the workspace has this external id.',
};

/** The field error for an identifier that another member holds. */
export function takenIdentifier(field: keyof MemberIdentifiers): FieldError {
  return { pointer: `/${field}`, message: takenMessages[field] };
}

async function takenIdentifiers(tx: Tx, changes: MemberChanges, ownId?: number): Promise<FieldError[]> {
  const holders = (await findMembersByIdentifiers(tx, changes)).filter(({ id }) => id !== ownId);
  return (['email', 'phone', 'externalId'] as const)
    .filter((field) => changes[field] != null && holders.some((holder) => holder[field] === changes[field]))
    .map(takenIdentifier);
}

async function unknownLabels(tx: Tx, labelIds: readonly number[]): Promise<FieldError[]> {
  const known = new Set((await findMemberLabels(tx, labelIds)).map(({ id }) => id));
  return labelIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/labelIds/${index}`, message: 'There is no such member label.' }],
  );
}

function isPastDate(date: string, now: Date): boolean {
  // The earliest day is there for the database, whose calendar has no year 0.
  return date >= '0001-01-01' && date <= now.toISOString().slice(0, 10);
}

function canonicalLocale(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
