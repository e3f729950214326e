import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../../kit/api.js';
import type { PageQuery } from '../../kit/paged-rows.js';

export const labelKinds = ['member', 'chat', 'file'] as const;
export type LabelKind = (typeof labelKinds)[number];
/** Those of members have no description. */
export type Label = Schemas['MemberLabelResponse'] & { description?: string };
export type LabelValues = Partial<Pick<Label, 'name' | 'slug' | 'color' | 'description'>>;

export const pageSize = 100;

/** Who may change labels. */
export const permissionOf = {
  member: 'roles:write',
  chat: 'workspace:write',
  file: 'files:write',
} as const satisfies Record<LabelKind, string>;

/** The labels of all kinds have the same operations; the types of one stand for those of all. */
const all = (kind: LabelKind) => `/w/{workspace_uuid}/${kind}-labels` as '/w/{workspace_uuid}/chat-labels';
const one = (kind: LabelKind) =>
  `/w/{workspace_uuid}/${kind}-labels/{chat_label_id}` as '/w/{workspace_uuid}/chat-labels/{chat_label_id}';
const pathOf = (uuid: string, id: number) => ({ workspace_uuid: uuid, chat_label_id: id });

export const labelsKey = (kind: LabelKind) => [`${kind}-labels`];

const labelled = {
  member: [['members'], ['member'], ['chats'], ['chat']],
  chat: [['chats'], ['chat'], ['queue']],
  file: [['files']],
} as const satisfies Record<LabelKind, readonly QueryKey[]>;

/** What has the names and colours of labels in it: keys of queries, after that of the workspace. */
export const changedBy = (kind: LabelKind): QueryKey[] => [labelsKey(kind), ...labelled[kind]];

export function labelsPage(uuid: string, kind: LabelKind, page: number): PageQuery<Label> {
  const query = { page, pageSize, sortBy: 'name', sortOrder: 'asc' } as const;
  return {
    queryKey: [uuid, ...labelsKey(kind), 'page', page],
    queryFn: ({ signal }) =>
      answer(api.GET(all(kind), { params: { path: { workspace_uuid: uuid }, query }, signal })),
  };
}

export function labelQuery(uuid: string, kind: LabelKind, id: number) {
  return queryOptions({
    queryKey: [uuid, ...labelsKey(kind), id],
    queryFn: (): Promise<Label> => readLabel(uuid, kind, id),
  });
}

export const readLabel = (uuid: string, kind: LabelKind, id: number): Promise<Label> =>
  answer(api.GET(one(kind), { params: { path: pathOf(uuid, id) } }));

export function createLabel(
  uuid: string,
  kind: LabelKind,
  body: LabelValues & { name: string },
  header: { 'Idempotency-Key': string },
): Promise<Label> {
  return answer(api.POST(all(kind), { params: { path: { workspace_uuid: uuid }, header }, body }));
}

export const updateLabel = (uuid: string, kind: LabelKind, id: number, body: LabelValues) =>
  answer(api.PUT(one(kind), { params: { path: pathOf(uuid, id) }, body }));

export const deleteLabel = (uuid: string, kind: LabelKind, id: number) =>
  answer(api.DELETE(one(kind), { params: { path: pathOf(uuid, id) } }));

/** How many members, chats or files have a label. */
export function labelledQuery(uuid: string, kind: LabelKind, { id, slug }: Label) {
  const path = { workspace_uuid: uuid };
  return queryOptions({
    queryKey: [uuid, ...labelsKey(kind), id, 'count', slug],
    staleTime: 0,
    queryFn: async (): Promise<{ total: number; totalIsExact?: boolean }> => {
      const [pageSize, labelId] = [1, [id]];
      if (kind === 'member') {
        const query = { pageSize, memberLabel: [slug] };
        return answer(api.GET('/w/{workspace_uuid}/members', { params: { path, query } }));
      }
      if (kind === 'chat') {
        const query = { pageSize, labelId };
        return answer(api.GET('/w/{workspace_uuid}/chats', { params: { path, query } }));
      }
      const query = { pageSize, labelId };
      return answer(api.GET('/w/{workspace_uuid}/files', { params: { path, query } }));
    },
  });
}
