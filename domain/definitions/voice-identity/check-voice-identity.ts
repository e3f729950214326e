import type { IdentityQuestion, VoiceIdentity } from '../../../db/identity/models/workspace.js';
import { allDataTypes, type DataTypeRow } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import { suggestion } from '../../lib/closest.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { comparableTypes } from './caller-questions.js';

/** What callers of the API give; the numbers have defaults. */
export interface VoiceIdentityInput {
  method: 'questions' | 'none';
  questions?: IdentityQuestion[];
  required?: number;
  triesPerCall?: number;
  triesPerDay?: number;
}

export const identityTries = { perCall: 3, perDay: 6 };

/** Validates how callers prove who they are, and returns it in stored form. @throws InvalidInput */
export async function checkVoiceIdentity(tx: Tx, given: VoiceIdentityInput): Promise<VoiceIdentity> {
  if (given.method === 'none') return { method: 'none' };
  const { questions = [] } = given;
  const errors: FieldError[] = [];
  const wrong = (place: string, message: string) =>
    errors.push({ pointer: `/voiceIdentity/${place}`, message });
  if (questions.length === 0) wrong('questions', 'is required: what callers are asked');
  const required = given.required ?? Math.min(2, questions.length);
  if (required > questions.length) wrong('required', 'is more than there are questions');
  const dataTypes = questions.length === 0 ? [] : await allDataTypes(tx);
  for (const [index, question] of questions.entries()) {
    const problem = problemOf(question, dataTypes);
    const isRepeated = questions.findIndex((other) => isSame(other, question)) < index;
    if (problem !== undefined) wrong(`questions/${index}${problem.at}`, problem.message);
    else if (isRepeated) wrong(`questions/${index}`, 'is asked twice');
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
  const { triesPerCall = identityTries.perCall, triesPerDay = identityTries.perDay } = given;
  return { method: 'questions', questions, required, triesPerCall, triesPerDay };
}

function isSame(one: IdentityQuestion, other: IdentityQuestion): boolean {
  return (
    one.memberField === other.memberField &&
    one.dataTypeSlug === other.dataTypeSlug &&
    one.fieldSlug === other.fieldSlug
  );
}

function problemOf(
  { memberField, dataTypeSlug, fieldSlug }: IdentityQuestion,
  dataTypes: readonly DataTypeRow[],
): { at: string; message: string } | undefined {
  const namesField = dataTypeSlug !== undefined && fieldSlug !== undefined;
  const isOne = memberField === undefined ? namesField : !dataTypeSlug && !fieldSlug;
  if (!isOne) return { at: '', message: 'must have memberField, or dataTypeSlug and fieldSlug' };
  if (memberField !== undefined || dataTypeSlug === undefined || fieldSlug === undefined) return undefined;
  const dataType = dataTypes.find(({ slug }) => slug === dataTypeSlug);
  if (dataType === undefined) {
    const slugs = dataTypes.map(({ slug }) => slug);
    return {
      at: '/dataTypeSlug',
      message: `there is no data type ${dataTypeSlug}${suggestion(dataTypeSlug, slugs)}`,
    };
  }
  const field = dataType.fields.find(({ slug }) => slug === fieldSlug);
  if (field === undefined) {
    const slugs = dataType.fields.map(({ slug }) => slug);
    return {
      at: '/fieldSlug',
      message: `${dataTypeSlug} has no field ${fieldSlug}${suggestion(fieldSlug, slugs)}`,
    };
  }
  if (comparableTypes.has(field.fieldType)) return undefined;
  return { at: '/fieldSlug', message: `is of the type ${field.fieldType}, which nobody can say` };
}
