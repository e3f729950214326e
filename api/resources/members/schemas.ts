import Type, { type Static } from 'typebox';
import { DateOnly, Id, Nullable, OneOf, Page, PageQuery, Timestamp, Uuid } from '../../http/schemas.js';

export const MemberLabelSummary = Type.Object({ id: Id, slug: Type.String(), name: Type.String() });

const kinds = ['human', 'assistant'] as const;

export const WorkspaceMemberResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    kind: OneOf(kinds),
    name: Nullable(Type.String()),
    email: Nullable(Type.String({ description: 'Lower case' })),
    phone: Nullable(Type.String({ description: 'E.164' })),
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
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'WorkspaceMemberResponse' },
);
export type WorkspaceMemberResponse = Static<typeof WorkspaceMemberResponse>;

export const WorkspaceMemberPage = Page(WorkspaceMemberResponse);

const text = (maxLength: number, description?: string) =>
  Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) })),
  );

const attributes = {
  email: text(254),
  phone: text(40, "E.164 recommended; otherwise read as a number of the workspace's region"),
  name: text(200),
  dateOfBirth: Type.Optional(Nullable(DateOnly)),
  description: text(10_000),
  externalId: text(200, "The caller's own id of the person"),
  memberRoleId: Type.Optional(Id),
  labelIds: Type.Optional(Type.Array(Id, { maxItems: 100, uniqueItems: true })),
  locale: text(35, 'Language tag such as en-US'),
  notifyEmail: Type.Optional(Type.Boolean()),
  notifySms: Type.Optional(Type.Boolean()),
  notifyVoice: Type.Optional(Type.Boolean()),
};

export const CreateMemberRequest = Type.Object(attributes, {
  description:
    'At least one of name, email, phone and externalId. The role defaults to the first non-admin one.',
});

export const UpdateMemberRequest = Type.Object(attributes, {
  description: 'What is left out stays, null empties; labelIds replaces all labels.',
});

export const ListMembersQuery = PageQuery(['id', 'name', 'email', 'createdAt', 'updatedAt'], {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of name, email or phone, or an external id',
    }),
  ),
  kind: Type.Optional(OneOf(kinds)),
  memberRoleId: Type.Optional(Id),
  memberLabelId: Type.Optional(Id),
  externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  createdFrom: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
});
export type ListMembersQuery = Static<typeof ListMembersQuery>;
