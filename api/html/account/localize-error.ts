import { TooManyRequests } from '../../../domain/lib/errors.js';
import { type Html, html } from '../../http/html.js';
import { filled, type Language } from './texts/language.js';

/** What a person is told of a problem: in its language, with the words of the API where there are no others. */
export function told({ lang, texts }: Language, problem: { code: string; detail: string }): Html {
  const { code, detail } = problem;
  if (isKnown(texts.problems, code)) return html`${texts.problems[code]}`;
  if (lang === 'en') return html`${detail}`;
  return html`${texts.refused} <span lang="en">${detail}</span>`;
}

/** The same of an error that a command throws. */
export function toldOf(language: Language, error: { code: string; message: string }): Html {
  if (error instanceof TooManyRequests) {
    const n = Math.ceil(error.retryAfterSeconds / 60);
    return html`${filled(language.texts.tooMany, { n })}`;
  }
  return told(language, { code: error.code, detail: error.message });
}

function isKnown<Texts extends object>(problems: Texts, code: string): code is Extract<keyof Texts, string> {
  return Object.hasOwn(problems, code);
}
