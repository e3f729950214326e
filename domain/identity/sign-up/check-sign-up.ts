import { findMemberLabelsBySlug, pinMemberLabels } from '../../../db/people/member-labels.js';
import { type MemberRoleRow, selectMemberRoles } from '../../../db/people/member-roles.js';
import { type DataTypeRow, pinDataTypesBySlug } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { isAdminRole } from '../../kernel/scopes.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { escapePointer } from '../../lib/json-schema.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { identifierFields } from '../../people/members/identifiers.js';
import { type MemberChanges, normalizeAttributes } from '../../people/members/member-attributes.js';
import type { FieldValues } from '../../records/field-values.js';

/** The person who signs up, as the workspace knows them. Null means the same as a field that is left out. */
interface SignUpMember {
  email?: string | null;
  phone?: string | null;
  name?: string | null;
  /** `YYYY-MM-DD` */
  dateOfBirth?: string | null;
  externalId?: string | null;
  /** The name of a role; by default the first non-admin role. */
  role?: string | null;
  locale?: string | null;
  tosAccepted?: boolean | null;
  labels?: readonly string[] | null;
}

interface SignUpRecord {
  externalId?: string | null;
  values: FieldValues;
}

export interface SignUpInput {
  member: SignUpMember;
  /** By the slug of the data type. */
  data?: Readonly<Record<string, SignUpRecord>>;
}

/** A sign-up of which every label, role and data type exists in the workspace. */
export interface CheckedSignUp {
  changes: MemberChanges;
  /** The role of a new member. */
  role: MemberRoleRow;
  roles: readonly MemberRoleRow[];
  labelIds: readonly number[];
  /** In the order in which their records are written. */
  types: readonly DataTypeRow[];
  hasData: boolean;
  /** The region of phone numbers without a country code. */
  defaultRegion: string;
}

/** Converts a sign-up to stored form; labels and data types stay locked. @throws InvalidInput with every problem */
export async function checkSignUp(
  tx: Tx,
  context: CommandContext,
  { member, data = {} }: SignUpInput,
): Promise<CheckedSignUp> {
  const { labels = null, role: roleName = null } = member;
  const [roles, named, defaultRegion, types] = await Promise.all([
    selectMemberRoles(tx),
    findMemberLabelsBySlug(tx, labels ?? []),
    workspaceRegion(context, tx),
    pinDataTypesBySlug(tx, Object.keys(data)),
  ]);
  const pinned = await pinMemberLabels(
    tx,
    named.map(({ id }) => id),
  );
  const known = new Map([...pinned.values()].map(({ slug, id }) => [slug, id]));

  const normalized = normalizeAttributes(givenOf(member), { defaultRegion, now: context.clock.now() });
  const errors = underMember(normalized.errors);
  if (identifierFields.every((field) => member[field] == null)) {
    errors.push({ pointer: '/member', message: 'Give at least one of email, phone and externalId.' });
  }
  const role = roleOf(roles, roleName, errors);
  for (const [index, slug] of (labels ?? []).entries()) {
    if (known.has(slug)) continue;
    errors.push({ pointer: `/member/labels/${index}`, message: 'There is no member label with this slug.' });
  }
  for (const slug of Object.keys(data)) {
    if (types.some((type) => type.slug === slug)) continue;
    const pointer = `/data/${escapePointer(slug)}`;
    errors.push({ pointer, message: 'There is no data type with this slug.' });
  }
  if (errors.length > 0 || role === undefined) throw InvalidInput.fields(errors);
  const { changes } = normalized;
  const hasData = Object.keys(data).length > 0;
  return { changes, role, roles, labelIds: [...known.values()], types, hasData, defaultRegion };
}

/** Rewrites the pointers of errors in a member's fields to where the body has these fields. */
export function underMember(errors: readonly FieldError[]): FieldError[] {
  return errors.map(({ pointer, message }) => ({ pointer: `/member${pointer}`, message }));
}

function givenOf({ email, phone, name, dateOfBirth, externalId, locale }: SignUpMember): MemberChanges {
  const attributes = { email, phone, name, dateOfBirth, externalId, locale };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null));
}

function roleOf(
  roles: readonly MemberRoleRow[],
  name: string | null,
  errors: FieldError[],
): MemberRoleRow | undefined {
  const role = name === null ? defaultMemberRole(roles) : roles.find((candidate) => candidate.name === name);
  const refuse = (message: string) => errors.push({ pointer: '/member/role', message });
  if (role === undefined && name === null)
    refuse('A role is required, because the workspace has no role without admin permissions.');
  else if (role === undefined) refuse('There is no member role with this name.');
  else if (isAdminRole(role)) refuse('A sign-up cannot have an admin role.');
  return role;
}
