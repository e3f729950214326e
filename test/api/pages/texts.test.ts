import { describe, expect, it } from 'vitest';
import { languageFor, languages, localesIn } from '../../../api/html/account/texts/language.js';
import { scopeGroups } from '../../../api/html/account/texts/scopes.js';
import { allScopes } from '../../../domain/kernel/scopes.js';

/** All texts of a language by their path, such as `problems.code_refused`. */
function textsIn(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, one]): [string, string][] =>
    typeof one === 'string' ? [[path + key, one]] : textsIn(one as object, `${path}${key}.`),
  );
}

const english = textsIn(languages.en ?? {});

describe('the texts of the pages', () => {
  it('describe each scope, in one group', () => {
    expect(Object.values(scopeGroups).flat().sort()).toEqual([...allScopes].sort());
  });

  it('tell people nothing in the words of developers', () => {
    const scopes = english.filter(([key]) => key.startsWith('scopes.scopes.'));
    expect(scopes).toHaveLength(allScopes.length);
    for (const [, text] of scopes) expect(text).not.toMatch(/permission|credential|[A-Z]{3}_[A-Z]/);
  });
});

describe('the language of a page', () => {
  it.each([
    [['de-DE'], 'de', 'de-DE'],
    [['fr-FR', 'es-MX'], 'es', 'es-MX'],
    [['fr-FR'], 'en', 'en'],
    [[], 'en', 'en'],
    [['*'], 'en', 'en'],
    [['constructor', 'de'], 'de', 'de'],
    [['de-x'.repeat(20)], 'de', 'de'],
  ])('of somebody who reads %j is %s', (locales, lang, locale) => {
    expect(languageFor(locales)).toMatchObject({ lang, locale });
  });

  it.each([
    ['de', ['de']],
    ['en;q=0.5, de-AT, es;q=0.9', ['de-AT', 'es', 'en']],
    ['en;q=0, de;q=0.1', ['de']],
    ['', ['']],
    [undefined, ['']],
    ['de;q=high', []],
  ])('is asked for by Accept-Language: %s', (header, locales) => {
    expect(localesIn(header)).toEqual(locales);
  });
});
