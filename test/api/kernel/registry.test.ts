import { describe, expect, it } from 'vitest';
import { parameterNames } from '../../../api/http/define-route.js';
import { tags } from '../../../api/http/tags.js';
import { routes } from '../../../api/resources/index.js';
import { groupsWithoutResource, resources } from '../../../api/resources/kernel/resources/resources.js';
import { eventTypes } from '../../../domain/kernel/events/event-types.js';
import { adminPermissions, allScopes, isPermission } from '../../../domain/kernel/scopes.js';
import { fieldTypeNames } from '../../../domain/records/field-types/types.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const api = useApiOn(() => noDatabase);
const withoutVoice = useApiOn(() => noDatabase, { voice: false });

const all = Object.entries(resources).map(([slug, resource]) => ({ slug, ...resource }));
const names = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name);

/** Parameters of paths that name no object of their own, or one that is told otherwise. */
const otherParameters: Record<string, string> = {
  call_id: 'a tool call, a part of a message',
  call_uuid: 'a phone call',
  connection_uuid: 'a connected application',
  delivery_id: 'a delivery',
  event_id: 'an event',
  custom_domain: 'a site',
  external_id: 'a data record',
  filename: 'a file',
  inbox_uuid: 'an inbox',
  message_uuid: 'a message',
  org: 'an organization',
  locale: 'a document of a page',
  org_uuid: 'an organization',
  page_slug_or_id: 'a page',
  record_id: 'a data record',
  revision_id: 'a workflow revision',
  slug: 'a resource of the registry',
  token: 'a link in an email',
  token_id: 'a member token',
  transfer_uuid: 'a transfer, a part of a phone call',
  version_number: 'a file version',
};

describe('the registry', () => {
  it('has every resource: what paths name, and each group of operations', () => {
    const known = new Set(all.map(({ singular }) => singular.toLowerCase().replace(/[ -]/g, '_')));
    const parameters = new Set(routes.flatMap(({ path }) => parameterNames(path)));
    const unknown = [...parameters].filter(
      (name) => !(name in otherParameters) && !known.has(name.replace(/_(id|uuid)$/, '')),
    );
    expect(unknown).toEqual([]);
    const groups = new Set([...all.map(({ tag }) => tag), ...groupsWithoutResource]);
    expect(Object.keys(tags).filter((tag) => !groups.has(tag as keyof typeof tags))).toEqual([]);
    expect(groupsWithoutResource.filter((group) => all.some(({ tag }) => tag === group))).toEqual([]);
  });

  it('says workspace of a resource whose operations are all in a workspace, and of no other', () => {
    for (const { slug, tag, scope } of all) {
      const paths = routes.filter((route) => route.tag === tag).map(({ path }) => path);
      const outside = paths.filter((path) => !path.startsWith('/w/'));
      const inOrganization = paths.length > 0 && paths.every((path) => path.startsWith('/o/'));
      const expected = outside.length === 0 ? 'workspace' : inOrganization ? 'org' : 'any';
      // Groups of a workspace may have operations for programs outside, such as a mail server.
      const isWithin = paths.some((path) => path.startsWith('/w/{workspace_uuid}/'));
      expect([slug, expected === 'any' && isWithin ? scope : expected]).toEqual([slug, scope]);
    }
  });

  it('has one label, unit and slug for each resource, in words', () => {
    for (const unit of ['singular', 'plural'] as const) {
      expect(new Set(all.map((one) => one[unit])).size).toBe(all.length);
    }
    for (const { slug, singular, plural } of all) {
      expect(slug).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(plural).not.toBe(singular);
    }
  });

  it('lists what settings choose from', async () => {
    const { status, body } = await api.request('GET', '/resources/registry');
    expect(status).toBe(200);
    expect(body.resources.map(({ slug }: { slug: string }) => slug)).toEqual(Object.keys(resources));
    expect(body.resources.find(({ slug }: { slug: string }) => slug === 'member-roles')).toEqual({
      slug: 'member-roles',
      label: 'Member roles',
      units: { singular: 'member role', plural: 'member roles' },
      description: tags['Member roles'],
      featureFlag: null,
      scope: 'workspace',
    });
    expect(names({ items: body.scopes })).toEqual(allScopes);
    expect(names({ items: body.eventTypes })).toEqual(Object.keys(eventTypes));
    expect(names({ items: body.fieldTypes })).toEqual([...fieldTypeNames]);
    const permissions: { name: string; isAdmin: boolean }[] = body.permissions;
    const given = permissions.map(({ name }) => name.replace('{data_type_slug}', 'visits'));
    expect(given.filter((name) => !isPermission(name))).toEqual([]);
    expect(
      permissions
        .filter(({ isAdmin }) => isAdmin)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...adminPermissions].sort());
  });

  it('says whether the installation has a feature', async () => {
    const features = async (at: typeof api) => (await at.request('GET', '/resources/registry')).body.features;
    expect(await features(withoutVoice)).toEqual([{ name: 'voice', enabled: false }]);
    expect(await api.request('GET', '/resources/phone-calls')).toMatchObject({
      body: { featureFlag: 'voice' },
    });
  });

  it('may be kept by everyone for five minutes, and is not sent again to those who have it', async () => {
    const paths = ['/resources/registry', '/resources/members'];
    for (const path of paths) {
      const { status, headers } = await api.request('GET', path);
      expect([status, headers.get('Cache-Control')]).toEqual([200, 'public, max-age=300']);
      const again = { 'If-None-Match': headers.get('ETag') ?? '' };
      const known = await api.request('GET', path, { headers: again });
      expect([known.status, known.headers.get('Cache-Control')]).toEqual([304, 'public, max-age=300']);
    }
  });

  it.each(['nothing', 'Members', 'constructor', '__proto__'])(
    'answers 404 for %s, kept by nobody',
    async (slug) => {
      const { status, headers, body } = await api.request('GET', `/resources/${slug}`);
      expect([status, body.code, headers.get('Cache-Control')]).toEqual([404, 'not_found', 'no-store']);
    },
  );
});
