/**
 * As a *scope*, it restricts an API key or OAuth token. As a *permission*, it extends a role beyond self-access, for
 * which a credential needs the scope, but the role no permission. The specification (Authentication 2 and 3) writes
 * permissions as `CHATS_READ`; here they are `chats:read`.
 */
export const scopes = {
  'account:read': 'Read the account behind the credential.',
  'account:write': 'Change the account behind the credential.',
  'keys:write':
    'Create API keys with scopes of the credential; change, rotate and revoke the credential itself and the keys it created. With a session: all keys of the account.',
  'account:create': 'Sign up members with their data; a new member gets a sign-in token.',
  'workspace:read': 'Read the workspace and its configuration.',
  'workspace:write': 'Change the workspace and its configuration.',
  'audit:read': 'Read and export the audit log of the workspace.',
  'members:read': "Read members; as a permission, other members' details.",
  'members:write': 'Change the own member; as a permission, create, change and delete members.',
  'members:impersonate': 'Create sign-in tokens for members. The bearer of a token acts as the member.',
  'roles:write': 'Create, change and delete member roles and labels.',
  'datatypes:read': 'Read data types and counts of records.',
  'datatypes:write': 'Create, change and delete data types.',
  'data:read': "Read data records; as a permission, other members' records of every type.",
  'data:write': 'Create and change data records.',
  'records:write': "RECORDS_WRITE: create and change other members' records.",
  'records:admin': 'Delete records with their history.',
  'workflows:read': 'Read workflow definitions; as a permission, their revisions with tasks and prompts.',
  'workflows:write': 'Create, change, publish and activate workflow definitions.',
  'assignments:read': "Read assignments; as a permission (ASSIGNMENTS_READ), other members'.",
  'assignments:write':
    'Start, steer and cancel assignments; as a permission (ASSIGNMENTS_WRITE), those of other members, as tests, and with tasks that the current one does not offer.',
  'chats:read': "Read chats and messages; as a permission (CHATS_READ), other members'.",
  'chats:write': "Create chats and send messages; as a permission (CHATS_WRITE), in other members' chats.",
  'chats:admin': 'Send as the assistant; decide about tool calls and handoffs that wait for a person.',
  'dm:write': 'Write direct messages to other people.',
  'files:read': "Read files and folders; as a permission, also other members' private ones.",
  'files:write':
    'Upload files and create folders; change, share and delete the own ones; as a permission, also those of others.',
  'sites:read': 'Read sites, pages and menus; as a permission, also drafts.',
  'sites:write': 'Create, change, publish and delete sites, pages and menus.',
  'assistants:read': 'Read assistants; as a permission, their instructions and models.',
  'assistants:write': 'Create, change and delete assistants.',
  'models:read': 'Read the catalogue of AI models.',
  'phone_numbers:read': 'Read phone numbers.',
  'phone_numbers:write': 'Create, change and delete phone numbers.',
  'inboxes:read': 'Read inboxes.',
  'inboxes:write': 'Create, change and delete inboxes, with their mail servers and secrets.',
  'event_rules:read':
    'Read event rules, stored events and deliveries, with the payloads of events about any member.',
  'event_rules:write':
    'Create, change, test and delete event rules, and redeliver events. Receivers get events about members, chats and data records of all members, including records that are hidden from members.',
  'person_data:erase': 'Erase what is stored about a member.',
  'person_data:export':
    'Export what is stored about the own member; as a permission, about other members, also with what these do not see.',
  'task:read':
    'On a credential, reads assignments as assignments:read does, and shows their tasks through the tools for AI clients.',
  'task:write':
    'On a credential, starts, steers and cancels assignments as assignments:write does, and moves them to tasks through the tools for AI clients.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

/** For one data type only. */
export type DataTypePermission = `data:read:${string}` | `data:write:${string}`;
export type Permission = Scope | DataTypePermission;

/** Permissions that make a role an admin role (specification: "a role with admin-level scopes"). */
export const adminPermissions: readonly Scope[] = [
  'workspace:write',
  'audit:read',
  'members:write',
  'members:impersonate',
  'roles:write',
  'datatypes:write',
  'records:admin',
  'workflows:write',
  'chats:admin',
  'assistants:write',
  'phone_numbers:write',
  'inboxes:write',
  'sites:write',
  'event_rules:write',
  'person_data:erase',
  'person_data:export',
];

/** By scope: another one, of the specification, that opens the same on a credential. Roles are given the first. */
export const alsoOpenedBy: { readonly [scope in Scope]?: Scope } = {
  'assignments:read': 'task:read',
  'assignments:write': 'task:write',
};

export const allScopes = Object.keys(scopes) as Scope[];

/** The scopes of the credential of a plain member, which cover everything that self-access allows. */
export const selfServiceScopes: readonly Scope[] = [
  'account:read',
  'account:write',
  'workspace:read',
  'members:read',
  'members:write',
  'datatypes:read',
  'data:read',
  'data:write',
  'workflows:read',
  'assignments:read',
  'assignments:write',
  'chats:read',
  'chats:write',
  'files:read',
  'files:write',
  'sites:read',
  'assistants:read',
  'models:read',
  'phone_numbers:read',
  'inboxes:read',
  'person_data:export',
];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** Whether a role's permission string exists. Permissions for one data type are checked by their form only. */
export function isPermission(text: string): text is Permission {
  return isScope(text) || /^data:(read|write):[a-z0-9][a-z0-9_-]{0,62}$/.test(text);
}

/** The parts of a role that decide whether it is an admin role. */
export interface RolePowers {
  permissions: readonly string[];
  useAdmin: boolean;
  manageWorkspace: boolean;
}

export function isAdminRole({ permissions, useAdmin, manageWorkspace }: RolePowers): boolean {
  return useAdmin || manageWorkspace || adminPermissions.some((admin) => permissions.includes(admin));
}
