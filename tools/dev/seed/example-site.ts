import { demo } from '../../../api/http/demo.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createSite } from '../../../domain/sites/sites/create-site.js';
import { buildExamplePages } from './example-pages.js';
import { expectId } from './expect-id.js';

/** Creates the public site of the clinic, through which people sign up. */
export async function buildExampleSite(context: CommandContext): Promise<void> {
  const site = await createSite(context, {
    uuid: demo.siteUuid,
    name: 'Demo clinic',
    slug: 'clinic',
    theme: 'patient-engagement-demo',
    tagLine: 'For the whole family',
    metaDescription: 'A clinic for the whole family, in the old town.',
    isPublic: true,
    allowSignup: true,
    availableLocales: ['en-US', 'de-DE'],
  });
  expectId('site', site, demo.siteId);
  await buildExamplePages(context, site.id);
  expectId('site to delete', await createSite(context, { name: 'Former site' }), demo.siteToDelete);
}
