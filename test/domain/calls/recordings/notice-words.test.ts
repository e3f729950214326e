import { describe, expect, it } from 'vitest';
import { noticeSentences } from '../../../../domain/calls/recordings/notice-sentences.js';
import { type NoticeSettings, wordsOfNotice } from '../../../../domain/calls/recordings/notice-words.js';
import { canonicalLocale } from '../../../../domain/lib/locales.js';

const settings = (changes: Partial<NoticeSettings> = {}): NoticeSettings => ({
  locale: 'en-US',
  recordingNotice: null,
  recordingConsent: 'notice',
  ...changes,
});
const english = { text: 'This call is recorded.', language: 'en-US' };
const question = {
  text: 'Press 1 if you agree, or any other key to go on without a recording.',
  language: 'en-US',
};

describe('the words before a recording', () => {
  it.each([
    ['of the member', 'de-AT', 'fr-FR', { text: 'Dieses Gespräch wird aufgezeichnet.', language: 'de-AT' }],
    ['of the workspace', null, 'fr', { text: 'Cet appel est enregistré.', language: 'fr-FR' }],
    [
      'of the workspace, if the member has one without words',
      'ja',
      'it',
      { text: 'Questa chiamata viene registrata.', language: 'it-IT' },
    ],
    ['of the service, if nobody has one with words', 'ja', 'ko', english],
  ])('are in the language %s', (_, member, locale, words) => {
    expect(wordsOfNotice(settings({ locale }), member)).toEqual([words]);
  });

  it('are those of the workspace where it has some, first in the very locale', () => {
    const recordingNotice = { de: { text: 'Auf.' }, 'de-CH': { text: 'Uf.' }, ja: { text: '録音' } };
    const words = (locale: string | null) => wordsOfNotice(settings({ recordingNotice }), locale);
    expect(words('de-CH')).toEqual([{ text: 'Uf.', language: 'de-CH' }]);
    expect(words('de-AT')).toEqual([{ text: 'Auf.', language: 'de-DE' }]);
    expect(words('ja-JP')).toEqual([{ text: '録音', language: 'ja-JP' }]);
    expect(words('es')).toEqual([{ text: 'Esta llamada se graba.', language: 'es-ES' }]);
    expect(words(null)).toEqual([english]);
  });

  it('ask for a key where the workspace says so, in the language of the text as far as there are words', () => {
    const ask = (recordingNotice: NoticeSettings['recordingNotice'], locale: string) =>
      wordsOfNotice(settings({ recordingConsent: 'ask', recordingNotice }), locale);
    expect(ask(null, 'en')).toEqual([english, question]);
    const own = { text: '録音', language: 'ja-JP' };
    expect(ask({ ja: { text: '録音' } }, 'ja')).toEqual([own, question]);
    expect(ask({ ja: { text: '録音', question: '1' } }, 'ja')).toEqual([own, { ...own, text: '1' }]);
    expect(ask({ nl: { text: 'Ja.' } }, 'nl')[1]?.text).toBe(noticeSentences.nl?.question);
  });

  it('of the service name the key in each language, which is a tag', () => {
    for (const [language, { text, question: asked }] of Object.entries(noticeSentences)) {
      expect(canonicalLocale(language)).toBe(language);
      expect(text).not.toMatch(/\d/);
      expect(asked).toMatch(/1/);
    }
  });
});
