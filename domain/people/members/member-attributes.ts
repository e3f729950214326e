import type { MemberValues } from '../../../db/people/members.js';
import { exceeds } from '../../lib/characters.js';
import { normalizeEmail } from '../../lib/email.js';
import type { FieldError } from '../../lib/errors.js';
import { canonicalLocale } from '../../lib/locales.js';
import { isName, nameForm } from '../../lib/names.js';
import { normalizePhone } from '../../lib/phone.js';
import { plainText } from '../../lib/plain-text.js';
import { isDate } from '../../records/field-types/dates.js';
import { isStorable } from '../../records/field-types/texts.js';

/** The attributes of a member that can be written. Null clears an attribute; omitted ones stay. */
export type MemberAttributes = Partial<Omit<MemberValues, 'kind'>> & { labelIds?: readonly number[] };

/** Attributes in stored form. Commands assign role and labels, after checking permissions. */
export type MemberChanges = Partial<Omit<MemberValues, 'kind' | 'memberRoleId'>>;

/** Attributes that are texts; the type of a date is the same. */
type TextAttribute = {
  [Field in keyof MemberChanges]-?: NonNullable<MemberChanges[Field]> extends string ? Field : never;
}[Exclude<keyof MemberChanges, 'dateOfBirth'>];

/** The most characters of each text. */
export const maxTextLength = {
  email: 254,
  phone: 40,
  name: 200,
  description: 10_000,
  externalId: 200,
  locale: 35,
} as const satisfies Record<TextAttribute, number>;

type FreeText = Exclude<TextAttribute, 'email' | 'phone' | 'locale'>;
/** Whether a text without a format of its own is shown as the name of a person. */
const isPersonName: Record<FreeText, boolean> = { name: true, description: false, externalId: false };

/** What looks the same is stored as the same. */
const storedForm: Record<FreeText, (text: string) => string> = {
  name: (text) => text.normalize('NFC').trim(),
  description: (text) => text.normalize('NFC'),
  externalId: plainText,
};

/**
 * Converts attributes to stored form, with all errors at once. Numbers without a country code are of `defaultRegion`.
 */
export function normalizeAttributes(
  { memberRoleId: _role, labelIds: _labels, ...attributes }: MemberAttributes,
  { defaultRegion, now }: { defaultRegion: string; now: Date },
): { changes: MemberChanges; errors: FieldError[] } {
  const changes: MemberChanges = { ...attributes };
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ pointer: `/${field}`, message });
  const { email, phone, dateOfBirth, locale } = attributes;

  for (const field of Object.keys(isPersonName) as FreeText[]) {
    const given = attributes[field];
    const text = given == null ? given : storedForm[field](given);
    if (text != null) changes[field] = text;
    const problem = textProblem(text, maxTextLength[field]);
    if (problem !== undefined) refuse(field, problem);
    else if (text != null && isPersonName[field] && !isName(text)) refuse(field, nameForm);
  }
  if (email != null) {
    const normal = normalizeEmail(email);
    if (normal === null) refuse('email', 'This is not an email address.');
    else changes.email = normal;
  }
  if (phone != null) {
    const normal = normalizePhone(phone, defaultRegion);
    if (normal === null) refuse('phone', 'This is not a phone number; E.164 (+12025550123) is best.');
    else changes.phone = normal;
  }
  if (dateOfBirth != null && !isDate(dateOfBirth)) {
    refuse('dateOfBirth', 'This is not a date as YYYY-MM-DD.');
  } else if (dateOfBirth != null && !isPastDate(dateOfBirth, now)) {
    refuse('dateOfBirth', 'This is not a date in the past.');
  }
  if (locale != null) {
    const normal = locale.length > maxTextLength.locale ? null : canonicalLocale(locale);
    if (normal === null) refuse('locale', 'This is not a language tag such as en-US (BCP 47).');
    else changes.locale = normal;
  }
  return { changes, errors };
}

function textProblem(text: string | null | undefined, max: number): string | undefined {
  if (text == null) return undefined;
  if (text === '') return 'must not be empty';
  if (exceeds(text, max)) return `must not have more than ${max} characters`;
  return isStorable(text) ? undefined : 'holds characters that cannot be stored';
}

function isPastDate(date: string, now: Date): boolean {
  // The lower limit is PostgreSQL's, whose calendar has no year 0.
  return date >= '0001-01-01' && date <= now.toISOString().slice(0, 10);
}
