import type { SpokenWords } from '../../../db/calls/phone-calls.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { carrierLanguage } from '../../lib/locales.js';
import { noticeSentences } from './notice-sentences.js';

/** The settings of a workspace that say what callers hear before a recording. */
export type NoticeSettings = Pick<WorkspaceRow, 'locale' | 'recordingNotice' | 'recordingConsent'>;

/**
 * What a caller is told before a call is recorded, and asked if the workspace says so: in the language of the member, else of the
 * workspace, else in English; by the words of the workspace where it has some in that language, else by those of the service.
 */
export function wordsOfNotice(settings: NoticeSettings, memberLocale: string | null): SpokenWords[] {
  const wanted = [memberLocale, settings.locale].filter((locale) => locale !== null);
  const notice = wanted.map((locale) => textFor(settings, locale)).find((found) => found !== undefined);
  const { locale, text, question } = notice ?? { locale: 'en', ...english };
  const told = spoken(locale, text);
  if (settings.recordingConsent === 'notice') return [told];
  return [told, question === undefined ? spoken('en', english.question) : spoken(locale, question)];
}

const english = { text: 'This call is recorded.', question: '', ...noticeSentences.en };

function textFor(
  { recordingNotice }: NoticeSettings,
  wanted: string,
): { locale: string; text: string; question?: string | undefined } | undefined {
  const own = recordingNotice ?? {};
  const language = languageOf(wanted);
  const ofService = noticeSentences[language];
  const locale = Object.hasOwn(own, wanted)
    ? wanted
    : Object.keys(own).find((one) => languageOf(one) === language);
  const found = locale === undefined ? undefined : own[locale];
  if (locale !== undefined && found !== undefined) {
    return { locale, text: found.text, question: found.question ?? ofService?.question };
  }
  return ofService && { locale: wanted, ...ofService };
}

function languageOf(locale: string): string {
  return locale.split('-')[0] ?? locale;
}

function spoken(locale: string, text: string): SpokenWords {
  return { text, language: carrierLanguage(locale) ?? 'en-US' };
}
