import type { LinkProps } from '@tanstack/react-router';
import { sections } from '../settings/sections.js';
import type { Texts } from '../texts/en.js';

interface Area {
  to: Extract<LinkProps['to'], `/w/$workspace/${string}`>;
  name: keyof Texts['areas'];
  /** Who may do none of this is not shown the area. */
  permission: string | readonly string[];
}

/** What the navigation leads to beside the home page and the inbox, in its order. */
export const areas: readonly Area[] = [
  { to: '/w/$workspace/calls', name: 'calls', permission: 'chats:read' },
  { to: '/w/$workspace/members', name: 'members', permission: 'members:read' },
  { to: '/w/$workspace/runs', name: 'runs', permission: 'assignments:read' },
  { to: '/w/$workspace/workflows', name: 'workflows', permission: 'workflows:read' },
  { to: '/w/$workspace/data', name: 'data', permission: 'data:read' },
  { to: '/w/$workspace/files', name: 'files', permission: 'files:read' },
  { to: '/w/$workspace/sites', name: 'sites', permission: 'sites:read' },
  { to: '/w/$workspace/templates', name: 'templates', permission: 'chats:write' },
  { to: '/w/$workspace/figures', name: 'figures', permission: 'workspace:read' },
  { to: '/w/$workspace/webhooks', name: 'webhooks', permission: 'event_rules:read' },
  {
    to: '/w/$workspace/settings',
    name: 'settings',
    permission: sections.flatMap(({ permission }) => permission),
  },
];
