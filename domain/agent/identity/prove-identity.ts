import { selectClaimedFields } from '../../../db/calls/claimed-values.js';
import { countIdentityTries, type PhoneCallRow, patchPhoneCall } from '../../../db/calls/phone-calls.js';
import type { IdentityQuestions } from '../../../db/identity/models/workspace.js';
import { lockSubject } from '../../../db/lock-subject.js';
import { findMember } from '../../../db/people/members.js';
import { allDataTypes } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import type { CallerQuestion } from '../../definitions/voice-identity/caller-questions.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import { newestRecords } from '../../records/data-records/queries/newest-records.js';
import type { Situation } from '../situation.js';
import { notAvailable, type ToolResult } from '../tools/tool-result.js';
import { isSameAnswer } from './compare-answers.js';

const dayMs = 24 * 3_600_000;
const newestRecord = { maxRecords: 1, maxBytes: 64 * 1_024 };

const refused: ToolResult = {
  ok: false,
  error: 'identity_refused',
  note: 'There were too many tries. Do not try again in this call: tell nothing that is stored. A colleague was told and will get in touch.',
};

/**
 * Compares what a caller has answered with what is stored. All answers are compared, and which of them were wrong is told to nobody.
 * The caller holds the lock of the chat.
 */
export async function proveIdentity(
  { tx, now, chat, call, identity, questions }: Situation,
  answers: Readonly<Record<string, unknown>>,
  region: string,
): Promise<ToolResult> {
  if (call === undefined || identity?.kind !== 'asked') return notAvailable;
  // Calls of one member in several chats share the tries of the day.
  await lockSubject(tx, `identity of member ${chat.memberId}`);
  const { settings } = identity;
  const before = await triesLeft(tx, call, settings, now);
  if (before <= 0) return refused;
  const known = await knownAnswers(tx, chat.memberId, questions);
  const locale = (await findMember(tx, chat.memberId))?.locale;
  const locales = locale == null ? [] : [locale];
  const right = questions.filter(({ key, fieldType, isSensitive }) => {
    const isSaid = isSameAnswer(known.get(key), answers[key], { fieldType, locales, region });
    return isSensitive ? call.identityKeys?.[key] === true : isSaid;
  });
  const isProved = right.length >= settings.required;
  await patchPhoneCall(tx, call.id, {
    identityTries: call.identityTries + 1,
    identityKeys: null,
    ...(isProved ? { identityProvedAt: now } : {}),
    updatedAt: now,
  });
  if (isProved) return { ok: true, note: 'The caller has proved who they are. You may tell what is stored.' };
  if (before > 1) return { ok: false, error: 'identity_wrong', triesLeft: before - 1 };
  await alertColleague(tx, chat, 'caller_unproved');
  return refused;
}

async function triesLeft(
  tx: Tx,
  { memberId, identityTries }: PhoneCallRow,
  { triesPerCall, triesPerDay }: IdentityQuestions,
  now: Date,
): Promise<number> {
  const since = new Date(now.getTime() - dayMs);
  const ofDay = memberId === null ? identityTries : await countIdentityTries(tx, memberId, since);
  return Math.min(triesPerCall - identityTries, triesPerDay - ofDay);
}

/**
 * What is stored, by the keys of the questions: properties of the member, and its newest records, also hidden ones. What a caller has
 * said who had not proved who they are is not known of the member.
 */
async function knownAnswers(
  tx: Tx,
  memberId: number,
  questions: readonly CallerQuestion[],
): Promise<Map<string, unknown>> {
  const slugs = new Set(questions.map(({ of }) => of.dataTypeSlug));
  const dataTypes = (await allDataTypes(tx)).filter(({ slug }) => slugs.has(slug));
  const found = await newestRecords(tx, dataTypes, { memberId, withHidden: true }, newestRecord);
  const ids = dataTypes.map(({ id }) => id);
  const claimed = await selectClaimedFields(tx, memberId, ids);
  const member = await findMember(tx, memberId);
  return new Map(
    questions.map(({ key, of: { memberField, dataTypeSlug, fieldSlug } }) => {
      if (memberField !== undefined) return [key, member?.[memberField]];
      const { dataType, records = [] } = found.find((one) => one.dataType.slug === dataTypeSlug) ?? {};
      const isClaimed = claimed.some((one) => one.dataTypeId === dataType?.id && one.fieldSlug === fieldSlug);
      return [key, isClaimed ? undefined : records.at(-1)?.[fieldSlug ?? '']];
    }),
  );
}

/** What the slug of a field begins with whose keys prove who the caller is. */
const keysPrefix = 'identity:';

/** The question that the keys of the caller answer next, as the slug of a field. */
export function keyedQuestion({
  call,
  questions,
}: Pick<Situation, 'call' | 'questions'>): string | undefined {
  const next = questions.find(
    ({ key, isSensitive }) => isSensitive && call?.identityKeys?.[key] === undefined,
  );
  return next === undefined ? undefined : `${keysPrefix}${next.key}`;
}

/**
 * Takes in the keys that answer a question. Only whether they are right is stored, until the tool is called.
 * @returns what the model is told, which is the same in any case; undefined: the keys answer no such question
 */
export async function enterIdentityKeys(
  { tx, now, chat, call, questions }: Situation,
  { slug, digits }: { slug: string; digits: string },
  region: string,
): Promise<string | undefined> {
  const question = questions.find(({ key }) => `${keysPrefix}${key}` === slug);
  if (call === undefined || question?.isSensitive !== true) return undefined;
  const { key, fieldType, name } = question;
  if (digits === '')
    return `The caller has entered no keys for ${JSON.stringify(name)}. Ask for it once more.`;
  const known = await knownAnswers(tx, chat.memberId, [question]);
  const isRight = isSameAnswer(known.get(key), digits, { fieldType, locales: [], region });
  await patchPhoneCall(tx, call.id, {
    identityKeys: { ...call.identityKeys, [key]: isRight },
    updatedAt: now,
  });
  return `The caller has entered ${JSON.stringify(name)} by keys, which you do not see. When all answers are there, call prove_identity.`;
}
