import { expect, it } from 'vitest';
import { type Answer, answerOf } from '../../../../api/html/sites/answer.js';
import { KeptAnswers } from '../../../../api/html/sites/kept-answers.js';
import type { SiteStanding } from '../../../../domain/sites/public/show-site.js';

const standing: SiteStanding = {
  workspaceId: 1,
  workspaceUuid: '00000000-0000-4000-8000-000000000001',
  siteId: 1,
  siteUuid: '00000000-0000-4000-8000-000000000002',
  version: 1,
  domain: null,
  logoFileId: null,
  logoWorkspaceUuid: null,
};
const answer = (text: string, status = 200) => answerOf(text, { 'Content-Type': 'text/html' }, status);

/** Makes answers, and counts them. */
function maker(make: () => Answer | undefined = () => answer('page')) {
  const made = { count: 0 };
  return {
    made,
    make: () => {
      made.count += 1;
      return make();
    },
  };
}

it('keeps an answer for a site as it is, and for no other version, domain or site', async () => {
  const kept = new KeptAnswers();
  const { made, make } = maker();
  for (let count = 0; count < 3; count += 1) await kept.answer(standing, 'page 1', make);
  expect(made.count).toBe(1);
  const others = [
    { version: 2 },
    { domain: 'www.clinic.example' },
    { siteUuid: '00000000-0000-4000-8000-000000000003' },
  ];
  for (const other of others) await kept.answer({ ...standing, ...other }, 'page 1', make);
  await kept.answer(standing, 'page 2', make);
  expect(made.count).toBe(5);
});

it('makes an answer once for all who ask for it at the same time', async () => {
  const kept = new KeptAnswers();
  const { made, make } = maker();
  const answers = await Promise.all([1, 2, 3].map(() => kept.answer(standing, 'page 1', make)));
  expect(made.count).toBe(1);
  expect(new Set(answers).size).toBe(1);
});

it.each([
  ['what is missing', () => answer('missing', 404)],
  ['nothing', () => undefined],
])('does not keep %s', async (_, make) => {
  const kept = new KeptAnswers();
  const counted = maker(make);
  await kept.answer(standing, 'page 1', counted.make);
  await kept.answer(standing, 'page 1', counted.make);
  expect(counted.made.count).toBe(2);
});

it('makes an answer again after it could not be made', async () => {
  const kept = new KeptAnswers();
  const failing = () => {
    throw new Error('the database is away');
  };
  await expect(kept.answer(standing, 'page 1', failing)).rejects.toThrow('away');
  expect(await kept.answer(standing, 'page 1', () => answer('page'))).toMatchObject({ status: 200 });
});

it('keeps no more bytes than it may, whatever is asked for', async () => {
  const most = 200_000;
  const kept = new KeptAnswers(most);
  const large = answer('x'.repeat(20_000));
  for (let page = 0; page < 100; page += 1) await kept.answer(standing, `page ${page}`, () => large);
  expect(kept.bytes).toBeLessThanOrEqual(most);
  expect(kept.bytes).toBeGreaterThan(most / 2);
  const { made, make } = maker(() => answer('x'.repeat(300_000)));
  await kept.answer(standing, 'huge', make);
  await kept.answer(standing, 'huge', make);
  expect(made.count).toBe(2);
});
