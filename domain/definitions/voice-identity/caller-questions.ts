import type { IdentityQuestion } from '../../../db/identity/models/workspace.js';
import type { FieldDefinition } from '../../records/field-values.js';

/** What a caller is asked, to prove who they are. */
export interface CallerQuestion {
  /** Its name in the tool. */
  key: string;
  name: string;
  /** That of a data field. */
  fieldType: string;
  /** Answered by the keys of the phone alone. */
  isSensitive: boolean;
  of: IdentityQuestion;
}

/** Properties of members that a caller may be asked for, with their types. */
export const memberQuestions = {
  name: { name: 'name', fieldType: 'text' },
  email: { name: 'email address', fieldType: 'email' },
  dateOfBirth: { name: 'date of birth', fieldType: 'date' },
  externalId: { name: 'customer number', fieldType: 'text' },
} as const;
export type MemberQuestion = keyof typeof memberQuestions;

/** Types of fields whose values can be compared with what somebody says. */
export const comparableTypes: ReadonlySet<string> = new Set([
  'text',
  'number',
  'integer',
  'date',
  'email',
  'phone',
  'select',
]);

type Types = readonly { slug: string; fields: readonly FieldDefinition[] }[];

/** Questions about fields that were deleted since cannot be asked. */
export function callerQuestions(questions: readonly IdentityQuestion[], dataTypes: Types): CallerQuestion[] {
  return questions.flatMap((of): CallerQuestion[] => {
    const { memberField, dataTypeSlug, fieldSlug } = of;
    if (memberField !== undefined) {
      return [{ key: memberField, ...memberQuestions[memberField], isSensitive: false, of }];
    }
    const field = dataTypes
      .find(({ slug }) => slug === dataTypeSlug)
      ?.fields.find(({ slug }) => slug === fieldSlug);
    if (field === undefined || !comparableTypes.has(field.fieldType)) return [];
    const { name, fieldType, sensitive } = field;
    return [{ key: `${dataTypeSlug}__${fieldSlug}`, name, fieldType, isSensitive: sensitive === true, of }];
  });
}
