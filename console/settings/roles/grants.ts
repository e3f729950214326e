import type { Schemas } from '../../kit/api.js';

export type Role = Schemas['MemberRoleResponse'];
type Registry = Schemas['ResourcesRegistryResponse'];

/** What a role has beside permissions. */
export const flags = ['useAdmin', 'manageWorkspace'] as const;
type Flag = (typeof flags)[number];
const isFlag = (grant: string): grant is Flag => (flags as readonly string[]).includes(grant);

/** Changes of one role: permissions and flags, and whether it is to have them. */
export type Changes = ReadonlyMap<string, boolean>;

export const holds = (role: Role, grant: string): boolean =>
  isFlag(grant) ? role[grant] : role.permissions.includes(grant);

/** Whether members with the role may do more than with what is theirs. */
export const isOfColleagues = ({ permissions, useAdmin, manageWorkspace }: Role): boolean =>
  permissions.length > 0 || useAdmin || manageWorkspace;

/** What a role is to be after the changes; what others have changed meanwhile stays. */
export function changed(role: Role, changes: Changes): Schemas['UpdateMemberRoleRequest'] {
  const kept = role.permissions.filter((one) => changes.get(one) !== false);
  const added = [...changes].flatMap(([grant, isHeld]) => (isHeld && !isFlag(grant) ? [grant] : []));
  const flagged = [...changes].filter(([grant]) => isFlag(grant));
  return { permissions: [...new Set([...kept, ...added])], ...Object.fromEntries(flagged) };
}

export interface Grant {
  name: string;
  description: string;
}

export interface GrantGroup {
  slug: string;
  title: string;
  grants: readonly Grant[];
}

/** Where the first word of a permission is not that of its resource. */
const resources: Readonly<Record<string, string>> = {
  account: 'accounts',
  keys: 'api-keys',
  workspace: 'workspaces',
  audit: 'audit-events',
  roles: 'member-roles',
  datatypes: 'data-types',
  data: 'records',
  dm: 'messages',
  models: 'ai-models',
  person_data: 'data-exports',
  task: 'assignments',
};
const resourceOf = (permission: string): string => {
  const word = permission.split(':', 1)[0] ?? '';
  return resources[word] ?? word.replaceAll('_', '-');
};

const placeholder = '{data_type_slug}';

/** The permissions of the registry by their resources; those of one type of records only for the types given. */
export function groupsOf(registry: Registry, typeSlugs: readonly string[]): GrantGroup[] {
  const grants = registry.permissions.flatMap(({ name, description }) =>
    name.includes(placeholder)
      ? typeSlugs.map((slug) => ({ name: name.replace(placeholder, slug), description }))
      : [{ name, description }],
  );
  return registry.resources.flatMap(({ slug, label }) => {
    const own = grants.filter(({ name }) => resourceOf(name) === slug);
    return own.length === 0 ? [] : [{ slug, title: label, grants: own }];
  });
}

/** The type of records that a permission is for alone. */
export const typeOf = (permission: string): string | undefined =>
  /^data:(?:read|write):(.+)$/.exec(permission)?.[1];
