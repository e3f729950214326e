import Type from 'typebox';
import {
  createLabel,
  deleteLabel,
  getLabel,
  type LabelKind,
  labelSlugPattern,
  listLabels,
  updateLabel,
} from '../../domain/kernel/labels.js';
import type { Scope } from '../../domain/kernel/scopes.js';
import { workspaceMember } from '../http/access.js';
import { defineRoute } from '../http/define-route.js';
import { demo } from '../http/demo.js';
import { presentPage } from '../http/paging.js';
import type { Route } from '../http/route.js';
import { Id, Name, Page, PageQuery, Picked, Uuid } from '../http/schemas.js';

const label = {
  id: Id,
  uuid: Uuid,
  name: Type.String(),
  slug: Type.String(),
  color: Type.String(),
};
const MemberLabelResponse = Picked(label, { $id: 'MemberLabelResponse' });
export const ChatLabelResponse = Picked(
  { ...label, description: Type.String() },
  { $id: 'ChatLabelResponse' },
);
export const FileLabelResponse = Picked(
  { ...label, description: Type.String() },
  { $id: 'FileLabelResponse' },
);

const name = Name(100);
const unique = 'Short name in lower case, unique in the workspace; derived from the name by default';
const slug = Type.String({ pattern: labelSlugPattern, maxLength: 63, description: unique });
const color = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  maxLength: 7,
  description: 'Color in which the label is shown, as #rrggbb; grey by default',
});
const ofMembers = { slug: Type.Optional(slug), color: Type.Optional(color) };
const described = { ...ofMembers, description: Type.Optional(Type.String({ maxLength: 1_000 })) };
const omitted = { description: 'Omitted fields keep their values.' };
const search = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Part of name or slug' }),
);
const wholeSlug = Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'The whole slug' }));

const requestsOfDescribed = {
  Create: Type.Object({ name, ...described }),
  Update: Type.Object({ name: Type.Optional(name), ...described }, omitted),
  List: PageQuery(['name', 'slug', 'createdAt'], { search }),
};

/** The schemas of each kind of labels: those of chats and of files have a description too. */
const labelSchemas = {
  member: {
    Label: MemberLabelResponse,
    LabelPage: Page(MemberLabelResponse),
    Create: Type.Object({ name, ...ofMembers }),
    Update: Type.Object({ name: Type.Optional(name), ...ofMembers }, omitted),
    List: PageQuery(['id', 'name', 'slug', 'createdAt'], { search, slug: wholeSlug }),
  },
  chat: { Label: ChatLabelResponse, LabelPage: Page(ChatLabelResponse), ...requestsOfDescribed },
  file: { Label: FileLabelResponse, LabelPage: Page(FileLabelResponse), ...requestsOfDescribed },
};

const labelsToDelete = {
  member: demo.memberLabelToDelete,
  chat: demo.chatLabelToDelete,
  file: demo.fileLabelToDelete,
};

const unrecorded = { not: 'labels give no access by themselves' };

/** The routes of one kind of labels. `assigning` tells how a member, a chat or a file is given labels. */
export function labelRoutes(kind: LabelKind, reading: Scope, assigning: string): Route[] {
  const { title, writing } = kind;
  const { noun } = kind.table;
  const { Label, LabelPage, Create, Update, List } = labelSchemas[noun];
  const readers = workspaceMember({ scope: reading });
  const writers = workspaceMember({ scope: writing, permission: writing });
  const tag = `${title} labels` as const;
  const path = `/w/{workspace_uuid}/${noun}-labels` as const;
  const pathOfOne = `${path}/{${noun}_label_id}` as const;
  const idIn = (params: Record<`${typeof noun}_label_id`, number>) => params[`${noun}_label_id`];

  return [
    defineRoute({
      operationId: `list${title}Labels`,
      method: 'GET',
      path,
      tag,
      summary: `List ${noun} labels`,
      access: readers,
      query: List,
      response: { status: 200, schema: LabelPage },
      handler: async ({ context, query }) => presentPage(query, await listLabels(context, kind, query)),
    }),
    defineRoute({
      operationId: `create${title}Label`,
      audit: unrecorded,
      method: 'POST',
      path,
      tag,
      summary: `Create a ${noun} label`,
      description: assigning,
      access: writers,
      body: Create,
      example: { body: { name: 'Allergic', color: '#b00020' }, once: true },
      response: { status: 201, schema: Label },
      handler: async ({ context, body }) => createLabel(context, kind, body),
    }),
    defineRoute({
      operationId: `get${title}Label`,
      method: 'GET',
      path: pathOfOne,
      tag,
      summary: `Get a ${noun} label`,
      access: readers,
      response: { status: 200, schema: Label },
      handler: async ({ context, params }) => getLabel(context, kind, idIn(params)),
    }),
    defineRoute({
      operationId: `update${title}Label`,
      audit: unrecorded,
      method: 'PUT',
      path: pathOfOne,
      tag,
      summary: `Change a ${noun} label`,
      description: `The change applies to all ${noun}s with the label.`,
      access: writers,
      body: Update,
      example: { body: { color: '#336699' } },
      response: { status: 200, schema: Label },
      handler: async ({ context, params, body }) => updateLabel(context, kind, idIn(params), body),
    }),
    defineRoute({
      operationId: `delete${title}Label`,
      audit: unrecorded,
      method: 'DELETE',
      path: pathOfOne,
      tag,
      summary: `Delete a ${noun} label`,
      description: `The label is removed from all ${noun}s.`,
      access: writers,
      example: { params: { [`${noun}_label_id`]: labelsToDelete[noun] }, once: true },
      response: { status: 204 },
      handler: async ({ context, params }) => deleteLabel(context, kind, idIn(params)),
    }),
  ];
}
