import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readPeopleSearch } from '../settings/people/search.js';
import { settings } from './route-roots.js';

/** Who may do what, and what acts in the name of the workspace. */
export const peopleSettings = [
  createRoute({
    getParentRoute: () => settings,
    path: 'roles',
    component: lazyRouteComponent(() => import('../settings/roles/roles-page.js'), 'RolesPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'roles/$roleId',
    component: lazyRouteComponent(() => import('../settings/roles/role-page.js'), 'RolePage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'people',
    validateSearch: readPeopleSearch,
    component: lazyRouteComponent(() => import('../settings/people/people-page.js'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'people/$memberId',
    component: lazyRouteComponent(() => import('../settings/people/colleague-page.js'), 'ColleaguePage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'assistants',
    component: lazyRouteComponent(
      () => import('../settings/assistants/assistants-page.js'),
      'AssistantsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'assistants/new',
    component: lazyRouteComponent(
      () => import('../settings/assistants/assistant-page.js'),
      'NewAssistantPage',
    ),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'assistants/$assistantId',
    component: lazyRouteComponent(() => import('../settings/assistants/assistant-page.js'), 'AssistantPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'secrets',
    component: lazyRouteComponent(() => import('../settings/secrets/secrets-page.js'), 'SecretsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'mcp-servers',
    component: lazyRouteComponent(() => import('../settings/mcp-servers/servers-page.js'), 'McpServersPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'mcp-servers/$serverId',
    component: lazyRouteComponent(() => import('../settings/mcp-servers/server-page.js'), 'McpServerPage'),
  }),
] as const;
