import { demo } from '../../../api/http/demo.js';
import { listWorkflowDefinitions } from '../../../domain/definitions/workflow-definitions/workflow-definitions.js';
import { updateFile } from '../../../domain/files/files/update-file.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { setCrawlSchedule } from '../../../domain/sites/crawl/crawl-schedule.js';
import { readCrawlUrl } from '../../../domain/sites/crawl/crawl-url.js';
import { cancelCrawl } from '../../../domain/sites/crawl/end-crawl.js';
import { startCrawl } from '../../../domain/sites/crawl/start-crawl.js';
import { claimDomain } from '../../../domain/sites/domains/claim-domain.js';
import { createSite } from '../../../domain/sites/sites/create-site.js';
import { intakeName } from './clinic.js';
import { buildExamplePages } from './example-pages.js';
import { expectId } from './expect-id.js';

const host = '127.0.0.1';

/** Creates the public site of the clinic, through which people sign up, and others that the examples use up. */
export async function buildExampleSite(context: CommandContext): Promise<void> {
  const site = await createSite(context, {
    uuid: demo.siteUuid,
    name: 'Demo Clinic',
    slug: 'clinic',
    theme: 'patient-engagement-demo',
    tagLine: 'For the whole family',
    metaDescription: 'A clinic for the whole family, in the old town.',
    isPublic: true,
    allowSignup: true,
    ...(await chatByIntake(context)),
    availableLocales: ['en-US', 'de-DE'],
  });
  expectId('site', site, demo.siteId);
  await updateFile(context, demo.fileId, { siteId: site.id });
  await mapExampleDomain(context, site.id);
  await buildExamplePages(context, site.id);
  expectId('site to delete', await createSite(context, { name: 'Former site' }), demo.siteToDelete);
  const unmapped = await createSite(context, { name: 'Planned site' });
  expectId('site to take the domain from', unmapped, demo.siteWithClaim);
  await noteExampleCrawl(context, unmapped.id);
  await claimDomain(context, unmapped.id, { domain: 'planned.clinic.example', host });
}

/** A crawl that was cancelled before its run has begun: there is no site that it could read. */
async function noteExampleCrawl(context: CommandContext, siteId: number): Promise<void> {
  const start = readCrawlUrl('https://www.clinic.example/');
  if (start === undefined) throw new Error('the example of a crawl has no address');
  await startCrawl(context, siteId, start, { limit: 50 });
  await cancelCrawl(context, siteId);
  await setCrawlSchedule(context, siteId, 'weekly');
}

/** As if it were proved: nobody can put a record into the DNS for it. It is not looked up again for a year. */
async function mapExampleDomain(context: CommandContext, siteId: number): Promise<void> {
  const { db, actor, clock } = context;
  const claim = await claimDomain(context, siteId, { domain: demo.domain, host });
  const checkAt = new Date(clock.now().getTime() + 365 * 86_400_000);
  await db.inWorkspace(actor.workspaceId, (tx) =>
    db.identity.siteDomains.patch(claim.id, { provedAt: clock.now(), checkedAt: clock.now(), checkAt }, tx),
  );
}

/** Visitors of the site chat with the agent of the clinic's intake. */
async function chatByIntake(context: CommandContext) {
  const page = { archived: false, page: 1, pageSize: 1, sortBy: 'name', sortOrder: 'asc' } as const;
  const { items } = await listWorkflowDefinitions(context, { search: intakeName, ...page });
  return {
    defaultWorkflowId: items[0]?.id ?? null,
    chatGreeting: 'Welcome to the clinic. What can we do for you?',
    chatGreetingTranslations: { 'de-DE': 'Willkommen in der Praxis. Was können wir für Sie tun?' },
  };
}
