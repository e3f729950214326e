import { type Tag, tags } from '../../../http/tags.js';

/** Parts of the service that an installation has only if its operator has configured them. */
export type Feature = 'voice';

export interface ResourceEntry {
  /** The group of its operations in the documentation. */
  tag: Tag;
  singular: string;
  plural: string;
  /** Where objects of the resource are: in a workspace, in an organization, or in neither alone. */
  scope: 'workspace' | 'org' | 'any';
  featureFlag?: Feature;
  /** What the resource is, if the description of the group does not say it. */
  description?: string;
}

const workspace = (tag: Tag, singular: string, plural: string, description?: string): ResourceEntry => ({
  tag,
  singular,
  plural,
  scope: 'workspace',
  ...(description === undefined ? {} : { description }),
});
const any = (tag: Tag, singular: string, plural: string, description?: string): ResourceEntry => ({
  ...workspace(tag, singular, plural, description),
  scope: 'any',
});

/** The resources of the service by slug, in the order of the documentation. */
export const resources: Readonly<Record<string, ResourceEntry>> = {
  sessions: any('Sessions', 'session', 'sessions'),
  'login-codes': any(
    'Sessions',
    'login code',
    'login codes',
    'Codes that prove an email address or a phone number.',
  ),
  'member-tokens': workspace(
    'Sessions',
    'member token',
    'member tokens',
    'Tokens by which a member signs in, once.',
  ),
  accounts: any('Account', 'account', 'accounts'),
  'api-keys': any('API keys', 'API key', 'API keys'),
  applications: any(
    'Applications',
    'application',
    'applications',
    'OAuth applications, which act for people who let them in.',
  ),
  'connected-applications': any(
    'Applications',
    'connected application',
    'connected applications',
    'Applications that the account has let in, with what each may do.',
  ),
  workspaces: any('Workspaces', 'workspace', 'workspaces'),
  organizations: any('Organizations', 'organization', 'organizations'),
  'organization-members': any(
    'Organizations',
    'organization member',
    'organization members',
    'Accounts in an organization, with their roles.',
  ),
  invitations: any(
    'Organizations',
    'invitation',
    'invitations',
    'Invitations into an organization, each for one email address.',
  ),
  members: workspace('Members', 'member', 'members'),
  'member-roles': workspace('Member roles', 'member role', 'member roles'),
  'member-labels': workspace('Member labels', 'member label', 'member labels'),
  'data-exports': workspace(
    'Personal data',
    'data export',
    'data exports',
    'Archives of what is stored about one person.',
  ),
  erasures: workspace(
    'Personal data',
    'erasure',
    'erasures',
    'Requests to erase what is stored about one person.',
  ),
  'data-types': workspace('Data types', 'data type', 'data types'),
  records: workspace('Data records', 'data record', 'data records'),
  workflows: workspace('Workflows', 'workflow', 'workflows'),
  'workflow-revisions': workspace('Workflow revisions', 'workflow revision', 'workflow revisions'),
  secrets: workspace('Secrets', 'secret', 'secrets'),
  'mcp-servers': workspace(
    'MCP servers',
    'MCP server',
    'MCP servers',
    'Servers of others whose tools agents may use.',
  ),
  'mcp-tools': workspace(
    'MCP servers',
    'MCP tool',
    'MCP tools',
    'Tools of remote MCP servers, as their servers list them.',
  ),
  assignments: workspace('Assignments', 'assignment', 'assignments'),
  'assignment-tasks': workspace(
    'Assignments',
    'assignment task',
    'assignment tasks',
    'The tasks of an assignment, with their state.',
  ),
  assistants: workspace('Assistants', 'assistant', 'assistants'),
  chats: workspace('Chats', 'chat', 'chats'),
  messages: workspace('Chats', 'message', 'messages', 'What people and assistants write and say in a chat.'),
  participants: workspace(
    'Chats',
    'participant',
    'participants',
    'Members who take part in a chat of another member.',
  ),
  'follow-ups': workspace(
    'Chats',
    'follow-up',
    'follow-ups',
    'Messages that an assistant sends later, unless the member replies.',
  ),
  'scheduled-messages': workspace(
    'Chats',
    'scheduled message',
    'scheduled messages',
    'Messages that people send later.',
  ),
  'chat-labels': workspace('Chat labels', 'chat label', 'chat labels'),
  'message-templates': workspace('Message templates', 'message template', 'message templates'),
  folders: workspace('Folders', 'folder', 'folders'),
  files: workspace('Files', 'file', 'files'),
  'file-versions': workspace('Files', 'file version', 'file versions', 'The contents that a file has had.'),
  'file-labels': workspace('File labels', 'file label', 'file labels'),
  shares: workspace(
    'Files',
    'share',
    'shares',
    'Links by which files and folders are read without signing in.',
  ),
  sites: workspace('Sites', 'site', 'sites'),
  pages: workspace('Pages', 'page', 'pages'),
  'page-documents': workspace('Pages', 'document', 'documents', 'What a page says in one locale.'),
  'document-revisions': workspace(
    'Pages',
    'revision',
    'revisions',
    'Earlier versions of the documents of pages.',
  ),
  menu: workspace('Menus', 'menu item', 'menu items'),
  visitors: any(
    'Site chats',
    'visitor',
    'visitors',
    'Browsers whose people chat on a public site without signing in.',
  ),
  'token-usage': workspace('Token usage', 'token usage', 'token usages'),
  'ai-models': any('AI models', 'AI model', 'AI models'),
  'phone-calls': { ...workspace('Phone calls', 'phone call', 'phone calls'), featureFlag: 'voice' },
  'phone-numbers': workspace('Phone numbers', 'phone number', 'phone numbers'),
  inboxes: workspace('Inboxes', 'inbox', 'inboxes'),
  'inbound-emails': workspace(
    'Inboxes',
    'inbound email',
    'inbound emails',
    'Emails that inboxes have received.',
  ),
  'pool-numbers': any('Phone number pool', 'pool number', 'pool numbers'),
  'audit-events': workspace('Audit log', 'audit event', 'audit events'),
  events: workspace('Events', 'event', 'events'),
  'event-rules': workspace('Event rules', 'event rule', 'event rules'),
  deliveries: workspace('Event deliveries', 'delivery', 'deliveries'),
};

/** Groups of operations that are about resources of other groups, or about none. */
export const groupsWithoutResource: readonly Tag[] = [
  'Sharing',
  'Email',
  'Support',
  'Registry',
  'Carrier',
  'Health',
];

/** What the registry tells of a resource; undefined if there is none with this slug. */
export function describeResource(slug: string) {
  const found = Object.hasOwn(resources, slug) ? resources[slug] : undefined;
  if (found === undefined) return undefined;
  const { tag, singular, plural, scope, featureFlag = null, description = tags[tag] } = found;
  const label = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  return { slug, label, units: { singular, plural }, description, featureFlag, scope };
}
