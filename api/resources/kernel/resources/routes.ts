import { NotFound } from '../../../../domain/lib/errors.js';
import { publicAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { featuresOf, registry } from './registry.js';
import { describeResource } from './resources.js';
import { ResourceMetadataResponse, ResourcesRegistryResponse } from './schemas.js';

const common = {
  method: 'GET',
  tag: 'Registry',
  access: publicAccess(),
  etag: true,
  /** It changes with releases of the service. */
  publicSeconds: 300,
} as const;

const getRegistry = defineRoute({
  ...common,
  operationId: 'getResourcesRegistry',
  path: '/resources/registry',
  summary: 'Get the registry of resources, scopes, permissions, event types and field types',
  description:
    'What pages for settings show and choose from. The same for all callers, who may keep it for five minutes.',
  response: { status: 200, schema: ResourcesRegistryResponse },
  handler: async ({ services }) => registry(featuresOf(services)),
});

const getResource = defineRoute({
  ...common,
  operationId: 'getResourceMetadata',
  path: '/resources/{slug}',
  summary: 'Get the labels of a resource',
  description: 'One of `resources` in the registry. Callers may keep it for five minutes.',
  example: { params: { slug: 'members' } },
  response: { status: 200, schema: ResourceMetadataResponse },
  handler: async ({ params }) => {
    const found = describeResource(params.slug);
    if (found === undefined) throw new NotFound('Resource');
    return found;
  },
});

export const registryRoutes = [getRegistry, getResource];
