import { fieldMeanings } from './meanings/fields.js';

type Schema = Record<string, unknown>;

/** Gives each field of the components that has no description in its schema the meaning that its name always has. */
export function describeFields(components: Record<string, object>): void {
  for (const [name, schema] of Object.entries(components)) describe(schema as Schema, nounOf(name));
}

function describe(schema: Schema, noun: string): void {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  for (const [name, property] of Object.entries(properties)) {
    const description = property.description ?? descriptionOfAlternative(property) ?? meaningOf(name, noun);
    if (description !== undefined) property.description = description;
    describe(property, nounOf(name));
  }
  for (const inner of innerSchemas(schema)) describe(inner, noun);
}

/** A field that may be null is often described with its other alternative. */
function descriptionOfAlternative({ anyOf }: Schema): unknown {
  const [other, end, ...more] = (anyOf ?? []) as Schema[];
  if (other === undefined || end?.type !== 'null' || more.length > 0) return undefined;
  const { description } = other;
  delete other.description;
  return description;
}

function innerSchemas({ items, anyOf, oneOf, additionalProperties }: Schema): Schema[] {
  return [items, anyOf, oneOf, additionalProperties]
    .flat()
    .filter((inner): inner is Schema => typeof inner === 'object' && inner !== null);
}

function meaningOf(name: string, noun: string): string | undefined {
  const meaning = fieldMeanings[`${noun}.${name}`] ?? fieldMeanings[name];
  return meaning?.replace('{noun}', noun);
}

/** What a component or a field with fields of its own is about; the first that its name contains. */
const nouns: Readonly<Record<string, string>> = {
  ApiKey: 'API key',
  Ability: 'ability',
  Simulat: 'simulation',
  waitsFor: 'simulation',
  TaskDetail: 'task',
  Task: 'task',
  Revision: 'revision',
  Workflow: 'workflow',
  Signup: 'member',
  MemberRole: 'role',
  MemberToken: 'token',
  Label: 'label',
  OwnMember: 'member',
  Import: 'import',
  LoginCode: 'code',
  Message: 'message',
  Participant: 'participant',
  FollowUp: 'follow-up',
  Assistant: 'assistant',
  Assignment: 'assignment',
  PhoneNumber: 'phone number',
  PoolNumber: 'phone number',
  EventRule: 'rule',
  Secret: 'secret',
  Attempt: 'attempt',
  Deliver: 'delivery',
  FileVersion: 'version',
  ShareLink: 'link',
  EventFile: 'file',
  Folder: 'folder',
  File: 'file',
  EventDataRecord: 'record',
  FieldDefinition: 'field',
  DataType: 'data type',
  Record: 'record',
  EventMember: 'member',
  EventChat: 'chat',
  Call: 'call',
  Chat: 'chat',
  StoredEvent: 'event',
  Event: 'event',
  AiModel: 'model',
  AiVoice: 'voice',
  Session: 'session',
  SupportAccess: 'access',
  StreamFailure: 'stream failure',
  OrganizationMember: 'member',
  Organization: 'organization',
  Invitation: 'invitation',
  Account: 'account',
  Workspace: 'workspace',
  Member: 'member',
};

/** `MemberRoleResponse` → role, `labels` → label */
function nounOf(name: string): string {
  if (name === 'WorkspaceMemberResponse') return 'member';
  const known = Object.keys(nouns).find((part) => name.includes(part));
  const words = name
    .replace(/s$/, '')
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return known === undefined ? words : (nouns[known] ?? words);
}
