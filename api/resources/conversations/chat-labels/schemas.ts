import Type, { type Static } from 'typebox';
import { labelSlugPattern } from '../../../../domain/lib/label-slug.js';
import { Id, Name, Page, PageQuery, Uuid } from '../../../http/schemas.js';

export const ChatLabelResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    color: Type.String({ description: '#rrggbb' }),
    description: Type.String(),
  },
  { $id: 'ChatLabelResponse' },
);
export type ChatLabelResponse = Static<typeof ChatLabelResponse>;

export const ChatLabelPage = Page(ChatLabelResponse);

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
const description = Type.String({ maxLength: 1_000 });

export const CreateChatLabelRequest = Type.Object({
  name,
  slug: Type.Optional(slug),
  color: Type.Optional(color),
  description: Type.Optional(description),
});

export const UpdateChatLabelRequest = Type.Object(
  {
    name: Type.Optional(name),
    slug: Type.Optional(slug),
    color: Type.Optional(color),
    description: Type.Optional(description),
  },
  { description: 'Omitted fields keep their values.' },
);

export const ListChatLabelsQuery = PageQuery(['name', 'slug', 'createdAt'], {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of name or slug' })),
});
