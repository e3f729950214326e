import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '../../api/html/account/texts/language.js';
import { resources } from '../../api/resources/kernel/resources/resources.js';
import type { areas } from '../../console/app/areas.js';
import { en } from '../../console/texts/en.js';

const others = ['de', 'es'] as const;
const folders = ['console', 'api/html', 'api/widget/assets'];

/** The files of English words, such as `en.ts` and `reasons-en.ts`. */
const catalogues = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|[/\\]|-)en\.(ts|js)$/.test(file))
    .map((file) => join(folder, file)),
);

/** All texts of a file by their path, such as `problems.code_refused`. */
function textsIn(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, one]): [string, string][] =>
    typeof one === 'string' ? [[path + key, one]] : textsIn(one as object, `${path}${key}.`),
  );
}

/** What a file exports, whatever the name of that is. */
async function textsOf(file: string): Promise<Map<string, string>> {
  const module = (await import(join(process.cwd(), file))) as Record<string, object>;
  return new Map(textsIn(Object.values(module)));
}

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe('the words of the console, of the pages of an account and of the widget', () => {
  it('are found', () => expect(catalogues.length).toBeGreaterThan(10));

  it.each(catalogues)('are all there in each language, with the same places for values: %s', async (file) => {
    const english = await textsOf(file);
    expect(english.size).toBeGreaterThan(0);
    for (const language of others) {
      const texts = await textsOf(file.replace(/en(\.\w+)$/, `${language}$1`));
      expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
      for (const [key, text] of english) {
        const other = texts.get(key) ?? '';
        expect([key, other.trim()]).not.toEqual([key, '']);
        expect([key, placesIn(other)]).toEqual([key, placesIn(text)]);
      }
    }
  });

  it('are in the same languages everywhere', () => {
    expect(Object.keys(languages).sort()).toEqual([...others, 'en'].sort());
  });
});

describe('the navigation of the console', () => {
  /** Areas that are about one resource, and its slug. */
  const named: Partial<Record<(typeof areas)[number]['name'], string>> = {
    members: 'members',
    runs: 'assignments',
    workflows: 'workflows',
    calls: 'phone-calls',
    templates: 'message-templates',
    files: 'files',
  };

  it.each(Object.entries(named))('calls %s what the registry calls %s', (area, slug) => {
    const name = en.areas[area as keyof typeof en.areas].toLowerCase();
    expect(resources[slug]?.plural.endsWith(name)).toBe(true);
  });
});
