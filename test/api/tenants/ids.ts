import { demo } from '../../../api/http/demo.js';
import type { OpenApiDocument } from '../../../api/http/openapi/document.js';
import type { Known, Operation } from '../../interop/examples/example-request.js';

/** Where an operation takes an id: of a path, of a query, or of a body (`records[].memberId`). */
export interface IdPlace {
  in: 'path' | 'query' | 'body';
  name: string;
  isList: boolean;
  /** The example of the place. */
  example: unknown;
}

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
  schema: Schema;
}

/** The names of what is no object of a workspace or an account: chosen by callers, or by others. */
const namesNothing =
  /^(externalId|external_id|(chat|realtime|assistantChat|assistantRealtime)ModelId|authservId|clientId|(google|utm|liFat|paymentCustomer)\w*Id|sourceReleaseId|toolCallId|call_id|id|(rootTask\.)?uuid|lastMessageId|interruptId)$/;

/** An object of each kind, by the name of its id. */
const objects: Record<string, number | string> = {
  account: 2,
  actorMember: demo.memberId,
  apiKey: demo.apiKeyId,
  assetsFolder: demo.folderId,
  assignment: demo.assignmentId,
  assignmentTask: demo.assignmentTaskId,
  assistantMember: demo.assistantMemberId,
  chat: demo.chatId,
  dataRecord: demo.recordId,
  defaultAssistantMember: demo.assistantMemberId,
  defaultPhoneNumber: demo.phoneNumberId,
  defaultWorkflow: demo.workflowId,
  event: demo.eventUuid,
  file: demo.fileId,
  folder: demo.folderId,
  fromMessage: demo.messageUuid,
  fromRevision: demo.revisionId,
  homePage: demo.pageId,
  inboundWorkflow: demo.workflowId,
  inbox: demo.inboxId,
  label: demo.chatLabelId,
  loginCode: demo.messageUuid,
  member: demo.memberId,
  memberLabel: demo.memberLabelId,
  memberRole: demo.memberRoleId,
  newMemberRole: demo.memberRoleId,
  organization: demo.organizationUuid,
  owner: demo.memberId,
  page: demo.pageId,
  parent: demo.menuItemId,
  parentFolder: demo.folderId,
  phoneCall: demo.phoneCallId,
  phoneNumber: demo.phoneNumberId,
  removedLabel: demo.memberLabelId,
  role: demo.memberRoleId,
  signupMemberRole: demo.memberRoleId,
  site: demo.siteId,
  sourceFolder: demo.folderId,
  subject: demo.memberId,
  task: 1,
  workflow: demo.workflowId,
  workflowRevision: demo.revisionId,
  workspace: 1,
};

/** The object that the id of a name is of. */
function objectOf(name: string): number | string {
  const last = name.split('.').at(-1) ?? name;
  if (last === 'workspaceUuid') return demo.workspaceUuid;
  const kind = last.replace(/_(id|uuid)$/, 'Id').replace(/(Ids?|Uuids?)$/, '');
  const found = objects[kind];
  if (found === undefined)
    throw new Error(`say in this file what ${name} is the id of, or that it names nothing`);
  return found;
}

const isIdName = (name: string) =>
  /(^id|Ids?|_ids?|[uU]uids?)$/.test(name) &&
  !namesNothing.test(name.split(/\[\]\.|(?<!rootTask)\./).at(-1) ?? '');

/** All places of an operation where an id is taken, by the document. */
export function idPlacesOf(document: OpenApiDocument, operation: Operation): IdPlace[] {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const inParameters = parameters.flatMap(({ name, in: place, example, schema }): IdPlace[] => {
    if (place === 'path') {
      const isName = ['org', 'custom_domain', 'page_slug_or_id'].includes(name);
      if (!isName && !isIdName(name)) return [];
      if (name === 'page_slug_or_id') return [{ in: place, name, isList: false, example: demo.pageId }];
      return [{ in: place, name, isList: false, example }];
    }
    if (place !== 'query' || !isIdName(name)) return [];
    return [{ in: place, name, isList: schema.type === 'array', example: objectOf(name) }];
  });
  const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, { schema: Schema }> };
  const [body] = Object.values(content);
  return [...inParameters, ...(body === undefined ? [] : inSchema(document, body.schema, '', []))];
}

function inSchema(document: OpenApiDocument, schema: Schema, path: string, above: string[]): IdPlace[] {
  if (schema.$ref !== undefined) {
    if (above.includes(schema.$ref)) return [];
    return inSchema(document, referred(document, schema.$ref), path, [...above, schema.$ref]);
  }
  const dot = path === '' ? '' : `${path}.`;
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (!isIdName(dot + name)) return inSchema(document, property, dot + name, above);
    const isList = property.type === 'array';
    return [{ in: 'body' as const, name: dot + name, isList, example: objectOf(name) }];
  });
  const items = schema.items === undefined ? [] : inSchema(document, schema.items, `${path}[]`, above);
  return [...own, ...items, ...(schema.anyOf ?? []).flatMap((one) => inSchema(document, one, path, above))];
}

function referred({ components }: OpenApiDocument, reference: string): Schema {
  return components.schemas[reference.split('/').at(-1) ?? ''] as Schema;
}

/** The example with other ids at these places, and these parameters. */
export function knownWith(
  operation: Operation,
  places: IdPlace[],
  idOf: <Id>(id: Id) => Id,
  params: Record<string, number> = {},
): Known {
  const { content = {} } = (operation.requestBody ?? {}) as {
    content?: Record<string, { example?: object }>;
  };
  const [{ example = {} } = {}] = Object.values(content);
  const known = {
    params: { ...params } as Record<string, unknown>,
    query: {} as Record<string, unknown>,
    body: example,
  };
  for (const { in: place, name, isList, example: id } of places) {
    const value = idOf(id);
    if (place === 'body')
      known.body = withValue(known.body, stepsOf(name), isList ? [value] : value) as object;
    else known[place === 'path' ? 'params' : 'query'][name] = value;
  }
  return known as Known;
}

/** `records[].memberId` → `records`, `[]`, `memberId` */
const stepsOf = (name: string) => name.replaceAll('[]', '.[]').split('.');

/** A copy of a body with another value at a place. */
function withValue(body: unknown, [first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (first === '[]') {
    const [head, ...others] = (body as unknown[] | undefined) ?? [];
    return [withValue(head, rest, value), ...others];
  }
  const object = (body ?? {}) as Record<string, unknown>;
  return { ...object, [first]: withValue(object[first], rest, value) };
}
