import type { Static } from 'typebox';
import { type EventType, eventTypes } from '../../../../domain/kernel/events/event-types.js';
import { samplePayloads } from '../../../../domain/kernel/events/sample-payloads.js';
import { adminPermissions, allScopes, scopes } from '../../../../domain/kernel/scopes.js';
import { fieldTypes } from '../../../../domain/records/field-types/index.js';
import { type FieldType, fieldTypeNames } from '../../../../domain/records/field-types/types.js';
import type { Services } from '../../../http/services.js';
import { describeResource, type Feature, resources } from './resources.js';
import type { ResourcesRegistryResponse } from './schemas.js';

const typeTexts: Record<FieldType, readonly [label: string, description: string]> = {
  text: ['Text', 'A text in one line.'],
  textarea: ['Long text', 'A text in several lines.'],
  number: ['Number', 'A number, also with decimals.'],
  integer: ['Whole number', 'A number without decimals.'],
  boolean: ['Yes or no', 'True or false.'],
  date: ['Date', 'A day, such as 2030-01-31.'],
  datetime: ['Date and time', 'A moment, such as 2030-01-31T09:00:00Z.'],
  time: ['Time', 'A time of day, such as 09:00.'],
  email: ['Email', 'An email address, in lower case.'],
  phone: ['Phone number', 'A phone number in E.164.'],
  url: ['Web address', 'An address of a web page.'],
  select: ['Choice', 'One of the options of the field.'],
  multiselect: ['Several choices', 'Any of the options of the field.'],
  json: ['JSON', 'Any value.'],
  file: ['File', 'A file of the workspace, by its id.'],
  files: ['Files', 'Files of the workspace, by their ids.'],
  member: ['Member', 'A member of the workspace, by its id.'],
};

const permissionsOfTypes = [
  ['data:read:{data_type_slug}', "Read other members' data records of one type."],
  ['data:write:{data_type_slug}', "Create and change other members' data records of one type."],
] as const;

/** Everything that pages for settings choose from. It changes with the release and the configuration only. */
export function registry(features: Record<Feature, boolean>): Static<typeof ResourcesRegistryResponse> {
  const named = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, description]) => ({ name, description }));
  return {
    resources: Object.keys(resources).flatMap((slug) => describeResource(slug) ?? []),
    features: Object.entries(features).map(([name, enabled]) => ({ name, enabled })),
    scopes: named(scopes),
    permissions: [
      ...allScopes.map((name) => ({
        name: name as string,
        description: scopes[name],
        isAdmin: adminPermissions.includes(name),
      })),
      ...permissionsOfTypes.map(([name, description]) => ({ name, description, isAdmin: false })),
    ],
    eventTypes: named(eventTypes).map((type) => ({ ...type, example: exampleOf(type.name as EventType) })),
    fieldTypes: fieldTypeNames.map((name) => {
      const { takesOptions = false, takesPattern = false, bounded, index } = fieldTypes[name];
      const [label, description] = typeTexts[name];
      return {
        name,
        label,
        description,
        takesOptions,
        takesPattern,
        isBounded: bounded !== null,
        canBeIndexed: index !== null,
        canBeUnique: index?.takesUnique ?? false,
      };
    }),
  };
}

/** The body that receivers get of an event. */
function exampleOf(eventType: EventType) {
  const uuid = '00000000-0000-4000-8000-000000000000';
  const head = { event: eventType, id: uuid, createdAt: '2030-01-31T12:05:00.000Z', workspaceUuid: uuid };
  return { ...head, ...samplePayloads[eventType] };
}

export function featuresOf({ calls }: Pick<Services, 'calls'>): Record<Feature, boolean> {
  return { voice: calls.isAvailable };
}
