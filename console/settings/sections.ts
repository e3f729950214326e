import type { LinkProps } from '@tanstack/react-router';
import type { en } from './texts/en.js';

interface Section {
  to: Extract<LinkProps['to'], `/w/$workspace/settings/${string}`>;
  name: keyof (typeof en)['sections'];
  /** Who may do none of this is not shown the section. */
  permission: string | readonly string[];
}

const settings = ['workspace:read', 'workspace:write'] as const;

/** The settings of a workspace, in the order of their list. */
export const sections: readonly Section[] = [
  { to: '/w/$workspace/settings/workspace', name: 'workspace', permission: settings },
  { to: '/w/$workspace/settings/people', name: 'people', permission: 'members:read' },
  { to: '/w/$workspace/settings/roles', name: 'roles', permission: ['members:read', 'roles:write'] },
  { to: '/w/$workspace/settings/hours', name: 'hours', permission: settings },
  { to: '/w/$workspace/settings/notices', name: 'notices', permission: 'workspace:write' },
  { to: '/w/$workspace/settings/calls', name: 'calls', permission: 'workspace:write' },
  {
    to: '/w/$workspace/settings/numbers',
    name: 'numbers',
    permission: ['phone_numbers:read', 'phone_numbers:write'],
  },
  { to: '/w/$workspace/settings/inboxes', name: 'inboxes', permission: ['inboxes:read', 'inboxes:write'] },
  {
    to: '/w/$workspace/settings/assistants',
    name: 'assistants',
    permission: ['assistants:read', 'assistants:write'],
  },
  { to: '/w/$workspace/settings/mcp-servers', name: 'mcpServers', permission: 'workspace:write' },
  { to: '/w/$workspace/settings/secrets', name: 'secrets', permission: 'workspace:write' },
  {
    to: '/w/$workspace/settings/labels',
    name: 'labels',
    permission: ['roles:write', 'workspace:write', 'files:write'],
  },
  { to: '/w/$workspace/settings/budget', name: 'budget', permission: 'workspace:read' },
  { to: '/w/$workspace/settings/retention', name: 'retention', permission: settings },
  { to: '/w/$workspace/settings/audit', name: 'audit', permission: 'audit:read' },
];
