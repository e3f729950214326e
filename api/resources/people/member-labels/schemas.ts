import Type, { type Static } from 'typebox';
import { labelSlugPattern } from '../../../../domain/lib/label-slug.js';
import { Id, Name, Page, PageQuery, Uuid } from '../../../http/schemas.js';

export const MemberLabelResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    color: Type.String({ description: '#rrggbb' }),
  },
  { $id: 'MemberLabelResponse' },
);
export type MemberLabelResponse = Static<typeof MemberLabelResponse>;

export const MemberLabelPage = Page(MemberLabelResponse);

const name = Name(100);
const slug = Type.String({
  pattern: labelSlugPattern,
  maxLength: 63,
  description: 'Unique in the workspace; derived from the name by default',
});
const color = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  maxLength: 7,
  description: '#rrggbb; grey by default',
});

export const CreateMemberLabelRequest = Type.Object({
  name,
  slug: Type.Optional(slug),
  color: Type.Optional(color),
});

export const UpdateMemberLabelRequest = Type.Object(
  { name: Type.Optional(name), slug: Type.Optional(slug), color: Type.Optional(color) },
  { description: 'Omitted fields keep their values.' },
);

export const ListMemberLabelsQuery = PageQuery(['id', 'name', 'slug', 'createdAt'], {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of name or slug' })),
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'The whole slug' })),
});
