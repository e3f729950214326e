import { beforeEach, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { deleteMember } from '../../../../domain/people/members/delete-member.js';
import { createPage } from '../../../../domain/sites/pages/create-page.js';
import { deletePage } from '../../../../domain/sites/pages/delete-page.js';
import { publishDuePage } from '../../../../domain/sites/pages/publish-due-page.js';
import { publishPage, unpublishPage } from '../../../../domain/sites/pages/publish-page.js';
import { getPage } from '../../../../domain/sites/pages/read-pages.js';
import { duePages } from '../../../../domain/sites/pages/reconcile-pages.js';
import { schedulePage } from '../../../../domain/sites/pages/schedule-page.js';
import { updatePage } from '../../../../domain/sites/pages/update-page.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { hours, MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addSite } from '../../../support/sites/add-site.js';
import { actorOf, addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();

const clock = new MovedClock();
let site: SiteRow;
let pageId: number;
let admin: CommandContext;
beforeEach(async () => {
  site = await addSite(workspace);
  admin = { ...workspace.context(), clock };
  pageId = (await createPage(admin, site.id, { title: 'News' })).page.id;
  await emptyOutbox(database);
});

const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
const schedule = (ms = hours(2), by = admin) => schedulePage(by, site.id, pageId, at(ms));
const step = () =>
  publishDuePage({ db: database.database, clock }, { workspaceId: workspace.workspaceId, pageId });
const page = async () => (await getPage(admin, site.id, pageId)).page;
const pokes = () =>
  database.database.readInWorkspace(workspace.workspaceId, (tx) =>
    tx('outbox').where({ run_type: 'publishPage' }).count('* as count').first(),
  );

describe('a page that is published later', () => {
  it('waits until its time, is published as it is then, once, and is a draft no more', async () => {
    const { page: scheduled } = await schedule();
    expect(await step()).toEqual({ kind: 'wait', until: scheduled.publishAt?.getTime() });
    await updatePage(admin, site.id, pageId, { title: 'Fresh news' });
    clock.advance(hours(2));
    expect(await step()).toEqual({ kind: 'ended', outcome: 'published' });
    const { documents, page: published } = await getPage(admin, site.id, pageId);
    expect(documents[0]).toMatchObject({ publishedTitle: 'Fresh news' });
    expect(published).toMatchObject({ publishAt: null, publishedAt: clock.now(), scheduledByMemberId: null });
    expect(await step()).toEqual({ kind: 'ended', outcome: 'not_scheduled' });
  });

  it('goes by the last time that was given', async () => {
    await schedule(hours(1));
    await schedule(hours(5));
    clock.advance(hours(2));
    expect(await step()).toMatchObject({ kind: 'wait' });
    await schedule(minutes(1));
    clock.advance(minutes(1));
    expect(await step()).toEqual({ kind: 'ended', outcome: 'published' });
    expect(await pokes()).toEqual({ count: 3 });
  });

  it('is taken off its schedule by publishing, withdrawing and deleting it, whose runs are woken', async () => {
    for (const end of [publishPage, unpublishPage]) {
      await schedule();
      await end(admin, site.id, pageId);
      expect(await page()).toMatchObject({ publishAt: null });
      expect(await step()).toEqual({ kind: 'ended', outcome: 'not_scheduled' });
    }
    await schedule();
    await deletePage(admin, site.id, pageId);
    expect(await step()).toEqual({ kind: 'ended', outcome: 'gone' });
    expect(await pokes()).toEqual({ count: 6 });
  });

  it.each(['2020-01-01T00:00:00Z', '2200-01-01T00:00:00Z', 'tomorrow'])(
    'is refused for %s',
    async (publishAt) => {
      await expect(schedulePage(admin, site.id, pageId, publishAt)).rejects.toMatchObject({
        errors: [{ pointer: '/publishAt' }],
      });
    },
  );

  it('stays a draft, and says why, if who scheduled it may not publish any more', async () => {
    const permissions = ['sites:write', 'sites:read'] as const;
    const member = await addMember(workspace, { permissions });
    await schedule(hours(1), { ...admin, actor: actorOf(workspace, { member, permissions }) });
    await deleteMember(admin, member.memberId);
    clock.advance(hours(1));
    expect(await step()).toEqual({ kind: 'ended', outcome: 'refused' });
    expect(await page()).toMatchObject({
      publishAt: null,
      publishedAt: null,
      publishFailure: 'author_not_allowed',
    });
    await schedule();
    expect(await page()).toMatchObject({ publishFailure: null });
  });

  it('is published once by two steps at the same time', async () => {
    await schedule(minutes(1));
    clock.advance(minutes(2));
    const outcomes = (await Promise.all([step(), step()])).map(
      (ended) => 'outcome' in ended && ended.outcome,
    );
    expect(outcomes.sort()).toEqual(['not_scheduled', 'published']);
  });
});

describe('a page whose run is missing', () => {
  const due = async () =>
    (await duePages.page({ db: database.database, clock }, workspace.workspaceId)).items.filter(
      (one) => one.id === pageId,
    );

  it('is found when it is due or soon will be, unless the relay has yet to start the run', async () => {
    await schedule(hours(1));
    expect(await due()).toEqual([]);
    clock.advance(minutes(50));
    expect(await due()).toEqual([]);
    await emptyOutbox(database);
    const [found] = await due();
    expect(found).toMatchObject({ workspaceId: workspace.workspaceId, id: pageId });
    if (found === undefined) throw new Error('nothing was found');
    await duePages.repair({ db: database.database, clock }, found, 'missing');
    expect(await pokes()).toEqual({ count: 1 });
  });
});
