import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { linkOf, type View, views } from '../../../tools/screenshots/views.js';

const page = await readFile(new URL('../../../docs/alarms.md', import.meta.url), 'utf8');

describe('the views of docs/alarms.md', () => {
  it.each(Object.keys(views) as View[])('%s is linked with its query and name', (view) => {
    expect(page).toContain(`[${view}](${linkOf(view)})`);
    const { searchParams } = new URL(linkOf(view));
    expect(Object.fromEntries(searchParams)).toEqual({ query: views[view], savedQuery: view });
  });
});
