import { describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { randomTag, uniqueEmail } from '../../../support/workspace/factories.js';
import { importFile } from '../../../support/workspace/import-members.js';

const { api, workspace, asAdmin } = useApi();

/** An id, and as documents and spreadsheets write it. */
const forms = (tag: string): [what: string, id: string, alike: string][] => [
  ['a space behind', `A1-${tag}`, `A1-${tag} `],
  ['a space before', `A2-${tag}`, ` A2-${tag}`],
  ['a no-break space', `A3-${tag}`, `A3-${tag}\u00a0`],
  ['a no-break space within', `A 4-${tag}`, `A\u00a04-${tag}`],
  ['a zero-width space', `A5-${tag}`, `A5\u200b-${tag}`],
  ['a mark of direction', `A6-${tag}`, `\u202aA6-${tag}\u202c`],
  ['a byte order mark', `A7-${tag}`, `\ufeffA7-${tag}`],
  ['a letter in two parts', `M\u00fcller-${tag}`, `Mu\u0308ller-${tag}`],
  ['an ideographic space', `A8 ${tag}`, `A8\u3000${tag}`],
];

describe('an external id that looks the same', () => {
  it.each(forms(randomTag()))('%s is the same member by the API and by import', async (_what, id, alike) => {
    const email = uniqueEmail();
    const made = await asAdmin('POST', '/members', { email, externalId: alike });
    expect(made).toMatchObject({ status: 201, body: { externalId: id } });
    const again = await asAdmin('POST', '/members', { email: uniqueEmail(), externalId: id });
    expect(again.status).toBe(400);
    const { body } = await asAdmin('GET', '/members', undefined, { externalId: alike });
    expect(body.items.map((one: { id: number }) => one.id)).toEqual([made.body.id]);
    const { told } = await importFile(
      api,
      workspace,
      `external_id,name\n"${id}",First\n"${alike}",Second\n`,
      {
        member: workspace.admin,
      },
    );
    expect(told).toMatchObject({ created: 0, updated: 2, failed: 0 });
  });
});
