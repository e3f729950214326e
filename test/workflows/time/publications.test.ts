import { expect, it } from 'vitest';
import { days, hours } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addSite } from '../../support/sites/add-site.js';
import { startSkippingSystem } from '../../support/system/skipping-system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { historyChain } from './history-chain.js';

const { system, workspace } = useSmsWorkspace(startSkippingSystem);

const inMs = (ms: number) => new Date(system.clock.now().getTime() + ms).toISOString();
const waits = (uuid: string, until: string) =>
  waitFor(`the run waits until ${until}`, async () => {
    const run = system.run('publishPage', uuid);
    const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return currentDetails.includes(until);
  });

it('a page is published months later, by one timer, and its run has ids only', async () => {
  const site = await addSite(workspace);
  const pages = `/sites/${site.id}/pages`;
  const { id, uuid } = (await workspace.asAdmin('POST', pages, { title: 'Secret plans' })).body;
  const publishAt = inMs(days(200));
  await workspace.asAdmin('POST', `${pages}/${id}/publish`, { publishAt });
  await waits(uuid, publishAt);

  await system.skip(days(199));
  expect((await workspace.asAdmin('GET', `${pages}/${id}`)).body.status).toBe('scheduled');
  await system.skip(days(1) + hours(1));

  expect(await system.run('publishPage', uuid).result()).toEqual({ outcome: 'published' });
  expect((await workspace.asAdmin('GET', `${pages}/${id}`)).body.status).toBe('published');
  const [run] = await historyChain(system.client, `publication-${uuid}`);
  const events = run?.events ?? [];
  expect(events.filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
  expect(events.filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(2);
  expect(JSON.stringify(run)).not.toContain('Secret');
});

it('a page is not published that is taken off its schedule, whose run ends', async () => {
  const site = await addSite(workspace);
  const pages = `/sites/${site.id}/pages`;
  const { id, uuid } = (await workspace.asAdmin('POST', pages, { title: 'Plans' })).body;
  const publishAt = inMs(days(1));
  await workspace.asAdmin('POST', `${pages}/${id}/publish`, { publishAt });
  await waits(uuid, publishAt);
  await workspace.asAdmin('POST', `${pages}/${id}/unpublish`);
  expect(await system.run('publishPage', uuid).result()).toEqual({ outcome: 'not_scheduled' });
  expect((await workspace.asAdmin('GET', `${pages}/${id}`)).body).toMatchObject({
    status: 'draft',
    publishAt: null,
  });
});
