import Type, { type Static, type TSchema } from 'typebox';
import type { MemberDetails } from '../../../../db/people/members.js';
import { type MemberAttributes, maxTextLength } from '../../../../domain/people/members/member-attributes.js';
import {
  AnyOf,
  createdBetween,
  DateOnly,
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Time,
  TimeInput,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';

export const MemberLabelSummary = Picked({ id: Id, slug: Type.String(), name: Type.String() });

const kinds = ['human', 'assistant'] as const;

const addressChannels = ['email', 'phone'] as const;
const addressStates = ['given', 'vouched', 'proved', 'disputed'] as const;

export const MemberAddressSummary = Picked({
  channel: OneOf(addressChannels),
  value: Type.String({ description: 'The email or phone' }),
  state: OneOf(addressStates, {
    description:
      '`given` by a form, and unproved; `vouched` for by who wrote it with members:write, or the one that messages came from; `proved` by a code; `disputed`: given by a form, and somebody else has it',
  }),
  isPending: Type.Boolean({
    description: 'Whether it is not the email or phone of the member, to which nothing is sent',
  }),
  bouncedAt: Nullable(Time({ ...Timestamp, description: 'When an email to it bounced for good' })),
  optedOutAt: Nullable(Time({ ...Timestamp, description: 'Since when the person wants no messages there' })),
});

export const WorkspaceMemberResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    kind: OneOf(kinds),
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    dateOfBirth: Nullable(DateOnly),
    description: Nullable(Type.String()),
    externalId: Nullable(Type.String({ description: "The caller's own id of the person" })),
    memberRoleId: Id,
    memberRoleName: Type.String(),
    labels: Type.Array(MemberLabelSummary),
    locale: Nullable(Type.String()),
    notifyEmail: Type.Boolean(),
    notifySms: Type.Boolean(),
    notifyVoice: Type.Boolean(),
    disabledAt: Nullable(Time({ ...Timestamp, description: 'Since when the member has been disabled' })),
    smsOptedOutAt: Nullable(
      Time({
        ...Timestamp,
        description:
          'Since when the member has opted out of SMS from all numbers of the workspace, by STOP or in the API',
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    addresses: Type.Optional(
      Type.Array(MemberAddressSummary, {
        description:
          'Where one member is asked for, by a caller with the permission members:read: each address that is known of the member, with its state. Absent where each is vouched for, none bounces and none is opted out',
      }),
    ),
  } satisfies Record<
    Exclude<keyof MemberDetails, 'workspaceId' | 'vouchedFor' | 'deletedAt'> | 'addresses',
    TSchema
  >,
  { $id: 'WorkspaceMemberResponse' },
);

export const OwnMemberResponse = Type.Object(
  {
    member: WorkspaceMemberResponse,
    role: Picked({
      id: Id,
      name: Type.String(),
      useAdmin: Type.Boolean(),
      manageWorkspace: Type.Boolean(),
    }),
    permissions: Type.Array(Type.String(), {
      description:
        'The role’s permissions beyond access to the caller’s own resources, restricted to the credential’s scopes',
    }),
  },
  { $id: 'OwnMemberResponse' },
);

export const WorkspaceMemberPage = Page(WorkspaceMemberResponse);

const text = (field: keyof typeof maxTextLength, description?: string) =>
  Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: maxTextLength[field],
        ...(description === undefined ? {} : { description }),
      }),
    ),
  );

const attributes = {
  email: text('email'),
  phone: text(
    'phone',
    "Phone number. E.164 is recommended; otherwise it is read as a number of the workspace's region",
  ),
  name: text('name'),
  dateOfBirth: Type.Optional(Nullable(DateOnly)),
  description: text('description'),
  externalId: text('externalId', "The caller's own id of the person"),
  memberRoleId: Type.Optional(Id),
  labelIds: Type.Optional(Type.Array(Id, { maxItems: 100, uniqueItems: true })),
  locale: text('locale', 'Language tag, for example en-US'),
  notifyEmail: Type.Optional(Type.Boolean()),
  notifySms: Type.Optional(Type.Boolean()),
  notifyVoice: Type.Optional(Type.Boolean()),
} satisfies Record<keyof MemberAttributes, TSchema>;

export const CreateMemberRequest = Type.Object(attributes, {
  description:
    'At least one of name, email, phone and externalId. The role defaults to the first one that is not an admin role.',
});

export const UpdateMemberRequest = Type.Object(attributes, {
  description: 'Omitted fields keep their values; null clears a field; labelIds replaces all labels.',
});

const labelIds = (description: string) =>
  Type.Optional(Type.Array(Id, { maxItems: 100, uniqueItems: true, description }));

export const LabelMembersRequest = Type.Object({
  memberIds: Type.Array(Id, {
    minItems: 1,
    maxItems: 500,
    uniqueItems: true,
    description: 'Whose labels are changed',
  }),
  labelIds: labelIds('Labels that each of them gets'),
  removedLabelIds: labelIds('Labels that each of them loses'),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const LabelledMembersResponse = Type.Object(
  {
    updated: count('Members whose labels were changed'),
    unchanged: count('Members who had these labels already'),
    failed: Type.Array(
      Type.Object({ memberId: Id, message: Type.String({ description: 'Why it was not changed' }) }),
      { description: 'Members who were not changed', maxItems: 500 },
    ),
  },
  { $id: 'LabelledMembersResponse' },
);

const shortText = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) });

/** Filters of a list of members. All given filters must match. */
export const memberFilters = {
  search: Type.Optional(shortText(200, 'Part of name, email or phone, or an external id')),
  kind: Type.Optional(OneOf(kinds)),
  memberRoleId: Type.Optional(AnyOf(Id)),
  memberRole: Type.Optional(AnyOf(shortText(200, 'The name of a role'))),
  memberLabelId: Type.Optional(AnyOf(Id)),
  memberLabel: Type.Optional(AnyOf(shortText(63, 'The slug of a label'))),
  email: Type.Optional(shortText(maxTextLength.email, 'The whole address, case-insensitive')),
  phone: Type.Optional(
    shortText(maxTextLength.phone, "The whole number, in any format that a member's phone accepts"),
  ),
  externalId: Type.Optional(shortText(maxTextLength.externalId, 'The whole external id')),
  disabled: Type.Optional(Type.Boolean({ description: 'Only disabled members, or only others' })),
  ...createdBetween,
  updatedFrom: Type.Optional(TimeInput),
  updatedBefore: Type.Optional(TimeInput),
};

export const ListMembersQuery = PageQuery(
  ['id', 'name', 'email', 'phone', 'externalId', 'createdAt', 'updatedAt'],
  memberFilters,
);
export type ListMembersQuery = Static<typeof ListMembersQuery>;
