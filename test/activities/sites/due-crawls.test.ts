import { MockActivityEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { crawlActivities } from '../../../activities/sites/crawl.js';
import type { CrawlScheduleRow } from '../../../db/identity/models/crawl-schedule.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import {
  type CrawlInterval,
  getCrawlSchedule,
  removeCrawlSchedule,
  setCrawlSchedule,
} from '../../../domain/sites/crawl/crawl-schedule.js';
import { readCrawlUrl } from '../../../domain/sites/crawl/crawl-url.js';
import { cancelCrawl } from '../../../domain/sites/crawl/end-crawl.js';
import { startCrawl } from '../../../domain/sites/crawl/start-crawl.js';
import type { StartedCrawls } from '../../../domain/sites/crawl/start-due-crawls.js';
import { createSite } from '../../../domain/sites/sites/create-site.js';
import { deleteSite } from '../../../domain/sites/sites/delete-site.js';
import { duplicateSite } from '../../../domain/sites/sites/duplicate-site.js';
import { getSite } from '../../../domain/sites/sites/read-sites.js';
import { updateSite } from '../../../domain/sites/sites/update-site.js';
import type { SourceSite } from '../../../providers/source-site/source-site.js';
import { whenWaitedFor } from '../../support/db/locks.js';
import { days, MovedClock } from '../../support/lib/moved-clock.js';
import { signedInContext } from '../../support/people/request-import.js';
import {
  addMember,
  createWorkspace,
  randomTag,
  type TestWorkspace,
} from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace: stage } = useWorkspace();
beforeEach(() =>
  stage.database.inWorkspace(stage.workspaceId, (tx) => tx('identity.site_crawl_schedules').delete()),
);
const clock = new MovedClock();
const logged: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
const noSource: SourceSite = {
  fetch: async () => {
    throw new Error('nothing is asked for by a pass');
  },
};
const pass = (): Promise<StartedCrawls> => {
  const { database: db } = stage;
  const activities = crawlActivities({ db, clock, logger, crawl: { source: noSource, delayMs: 0 } });
  return new MockActivityEnvironment().run(activities.startDueCrawls);
};
const nothing = { started: 0, skipped: 0, failed: 0 };
const url = 'https://www.clinic.example/';

const contextOf = (workspace: TestWorkspace, member = workspace.admin): CommandContext =>
  signedInContext(workspace, member, clock);
const newWorkspace = () => createWorkspace(stage.database);

/** A site with a schedule, and what tests look at. */
async function scheduled(
  workspace: TestWorkspace,
  {
    interval = 'daily',
    by = contextOf(workspace),
    crawlLimit = null,
  }: { interval?: CrawlInterval; by?: CommandContext; crawlLimit?: number | null } = {},
) {
  const site = await createSite(contextOf(workspace), {
    name: `Site ${randomTag()}`,
    crawlUrl: url,
    crawlLimit,
  });
  const schedule = await setCrawlSchedule(by, site.id, interval);
  const of = contextOf(workspace);
  return {
    id: site.id,
    schedule,
    now: () => getCrawlSchedule(of, site.id),
    site: () => getSite(of, site.id),
    cancel: () => cancelCrawl(of, site.id),
  };
}

describe('a crawl that is due', () => {
  it('begins once in its interval, as the site says by then', async () => {
    const workspace = await newWorkspace();
    const { id, schedule, now, site, cancel } = await scheduled(workspace, { crawlLimit: 7 });
    expect(schedule.dueAt.getTime() - clock.now().getTime()).toBeGreaterThanOrEqual(days(1) * 0.95);
    expect(schedule.dueAt.getTime() - clock.now().getTime()).toBeLessThanOrEqual(days(1) * 1.05);
    expect(await pass()).toEqual(nothing);
    await updateSite(contextOf(workspace), id, { crawlExcludedTags: ['aside'] });

    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, started: 1 });
    expect(await site()).toMatchObject({
      crawl: true,
      crawlUrl: url,
      crawlLimit: 7,
      crawlExcludedTags: ['aside'],
      crawlStartedAt: clock.now(),
    });
    const next = await now();
    expect(next).toMatchObject({ lastStartedAt: clock.now(), lastSkippedAt: null, skipReason: null });
    expect(next.dueAt.getTime()).toBeGreaterThan(clock.now().getTime() + days(0.94));
    const outbox = await stage.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('outbox').where({ run_type: 'crawlSite' }).select('action', 'subject'),
    );
    expect(outbox).toHaveLength(1);
    await cancel();
    expect(await pass()).toEqual(nothing);
  });

  it('begins after a week, if that is the interval', async () => {
    const { now } = await scheduled(await newWorkspace(), { interval: 'weekly' });
    clock.advance(days(6.6));
    expect(await pass()).toEqual(nothing);
    clock.advance(days(0.8));
    expect(await pass()).toEqual({ ...nothing, started: 1 });
    expect((await now()).dueAt.getTime()).toBeGreaterThan(clock.now().getTime() + days(6.6));
  });

  it('is recorded in the audit log, under who has set the schedule', async () => {
    const workspace = await newWorkspace();
    const { id } = await scheduled(workspace);
    clock.advance(days(1.06));
    await pass();
    const { rows } = await stage.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx.raw(
        'select action, actor_member_id as by, names from audit_events where subject_id = ? order by created_at, id',
        [id],
      ),
    );
    const { memberId: by } = workspace.admin;
    expect(rows.filter(({ action }: { action: string }) => action.includes('crawl'))).toEqual([
      { action: 'site:crawl_scheduled', by, names: ['daily'] },
      { action: 'site:crawl_started', by, names: [] },
    ]);
  });

  it('begins once, when two passes come at once', async () => {
    const workspace = await newWorkspace();
    await scheduled(workspace);
    await scheduled(workspace);
    clock.advance(days(1.06));
    const passes: StartedCrawls[] = await Promise.all([pass(), pass(), pass()]);
    expect(passes.reduce((sum, { started }) => sum + started, 0)).toBe(2);
    expect(passes.every(({ skipped, failed }) => skipped + failed === 0)).toBe(true);
  });

  it('does not begin, if the schedule ends while the pass waits for the site', async () => {
    const workspace = await newWorkspace();
    const { id, site } = await scheduled(workspace);
    clock.advance(days(1.06));
    let running: ReturnType<typeof pass> | undefined;
    await stage.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await tx('sites').where({ id }).forUpdate();
      running = pass();
      await whenWaitedFor(tx);
      await stage.database.identity.crawlSchedules.remove(id, tx);
    });
    expect(await running).toEqual(nothing);
    expect((await site()).crawl).toBe(false);
  });
});

describe('a crawl that is due and does not begin', () => {
  it('has an author who may not change sites any more; whoever sets the schedule anew has it begin', async () => {
    const workspace = await newWorkspace();
    const author = await addMember(workspace, { role: workspace.roles.admin });
    const { id, now, site } = await scheduled(workspace, { by: contextOf(workspace, author) });
    await stage.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('members').where({ id: author.memberId }).update({ disabled_at: new Date() }),
    );
    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, skipped: 1 });
    const skipped = await now();
    expect(skipped).toMatchObject({ skipReason: 'author_not_allowed', lastSkippedAt: clock.now() });
    expect(skipped.dueAt.getTime()).toBeGreaterThan(clock.now().getTime() + days(0.9));
    expect(await site()).toMatchObject({ crawl: false, crawlStartedAt: null });

    const renewed = await setCrawlSchedule(contextOf(workspace), id, 'daily');
    expect(renewed).toMatchObject({
      setByMemberId: workspace.admin.memberId,
      skipReason: null,
      dueAt: skipped.dueAt,
    });
    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, started: 1 });
  });

  it('was ordered by an API key that is revoked by now', async () => {
    const workspace = await newWorkspace();
    const { id, now, cancel } = await scheduled(workspace);
    const { accountId } = workspace.admin;
    const inWorkspace = (work: (tx: Tx) => Promise<unknown>) =>
      stage.database.inWorkspace(workspace.workspaceId, work);
    await inWorkspace(async (tx) => {
      const key = await tx('identity.api_keys').where({ account_id: accountId }).first('id');
      await stage.database.identity.crawlSchedules.patch(id, { setApiKeyId: Number(key.id) }, tx);
    });
    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, started: 1 });
    await cancel();
    await inWorkspace((tx) =>
      tx('identity.api_keys').where({ account_id: accountId }).update({ revoked_at: new Date() }),
    );
    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, skipped: 1 });
    expect((await now()).skipReason).toBe('author_not_allowed');
  });

  it('was ordered by an AI client whose grant is gone', async () => {
    const workspace = await newWorkspace();
    const { id, now } = await scheduled(workspace);
    await stage.database.inWorkspace(workspace.workspaceId, (tx) =>
      stage.database.identity.crawlSchedules.patch(id, { setOauthGrantId: 999_999_999 }, tx),
    );
    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, skipped: 1 });
    expect((await now()).skipReason).toBe('author_not_allowed');
  });

  it('is of a site that is being crawled, or has no address any more', async () => {
    const workspace = await newWorkspace();
    const context = contextOf(workspace);
    const busy = await scheduled(workspace);
    const empty = await scheduled(workspace);
    const start = readCrawlUrl(url);
    if (start === undefined) throw new Error('no address');
    await startCrawl(context, busy.id, start, {});
    await updateSite(context, empty.id, { crawlUrl: null });
    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, skipped: 2 });
    expect([(await busy.now()).skipReason, (await empty.now()).skipReason]).toEqual([
      'crawl_under_way',
      'no_url',
    ]);
  });

  it('waits for an hour, when as many sites of the workspace are crawled as may be', async () => {
    const workspace = await newWorkspace();
    const sites: Awaited<ReturnType<typeof scheduled>>[] = [];
    for (let count = 0; count < 5; count += 1) sites.push(await scheduled(workspace));
    clock.advance(days(1.06));
    expect(await pass()).toEqual({ ...nothing, started: 3, skipped: 2 });
    const rows = await Promise.all(sites.map(({ now }) => now()));
    const waiting = rows.filter(({ skipReason }) => skipReason === 'too_many_crawls');
    expect(waiting).toHaveLength(2);
    expect(waiting.every(({ dueAt }) => dueAt.getTime() === clock.now().getTime() + 3_600_000)).toBe(true);
    const begun = sites.filter((_, at) => rows[at]?.lastStartedAt !== null);
    await Promise.all(begun.map(({ cancel }) => cancel()));
    clock.advance(3_600_000);
    expect(await pass()).toEqual({ ...nothing, started: 2 });
  });

  it('stops no other, if it fails, and is due again in an hour', async () => {
    const workspace = await newWorkspace();
    const broken = await scheduled(workspace);
    const whole = await scheduled(workspace);
    clock.advance(days(1.06));
    const { crawlSchedules } = stage.database.identity;
    const { patch } = crawlSchedules;
    crawlSchedules.patch = async (siteId, changes, tx) => {
      if (siteId === broken.id) throw new Error('the disk is full');
      return patch.call(crawlSchedules, siteId, changes, tx);
    };
    try {
      expect(await pass()).toEqual({ started: 1, skipped: 0, failed: 1 });
    } finally {
      crawlSchedules.patch = patch;
    }
    expect((await whole.site()).crawl).toBe(true);
    expect((await broken.site()).crawl).toBe(false);
    expect(logged.filter((line) => line.includes(`"siteId":${broken.id}`))).toHaveLength(1);
    expect(logged.join()).not.toContain('the disk is full');
    expect(await pass()).toEqual(nothing);
    clock.advance(3_600_000);
    expect(await pass()).toEqual({ ...nothing, started: 1 });
  });
});

describe('a schedule', () => {
  it('ends with its site, and is not copied with it', async () => {
    const workspace = await newWorkspace();
    const context = contextOf(workspace);
    const { id } = await scheduled(workspace);
    const copy = await duplicateSite(context, id, { name: 'Copy' });
    await expect(getCrawlSchedule(context, copy.id)).rejects.toMatchObject({ kind: 'not_found' });
    await deleteSite(context, id);
    const left: CrawlScheduleRow[] = await stage.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('identity.site_crawl_schedules').where({ site_id: id, workspace_id: workspace.workspaceId }),
    );
    expect(left).toEqual([]);
    clock.advance(days(1.06));
    expect(await pass()).toEqual(nothing);
  });

  it('ends when it is taken off, and a crawl under way goes on', async () => {
    const workspace = await newWorkspace();
    const { id, site } = await scheduled(workspace);
    clock.advance(days(1.06));
    await pass();
    await removeCrawlSchedule(contextOf(workspace), id);
    await removeCrawlSchedule(contextOf(workspace), id);
    expect((await site()).crawl).toBe(true);
  });
});
