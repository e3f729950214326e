import Type, { type Static, type TSchema } from 'typebox';
import { labelSlugPattern } from './labels.js';

/** `available` is false for abilities that are not implemented; a revision that uses one cannot be published. */
interface AbilityDeclaration {
  available: boolean;
  summary: string;
  config: TSchema;
}

const Slug = Type.String({
  minLength: 1,
  maxLength: 63,
  description: 'The slug of a data type',
  examples: ['intake'],
});
const FieldSlug = Type.String({
  minLength: 1,
  maxLength: 63,
  description: 'The slug of a field of the data type',
  examples: ['reason'],
});
const strict = { additionalProperties: false };
const Nothing = Type.Object({}, strict);
/** The configuration of an ability that is not implemented yet is stored unchecked. */
const Anything = Type.Object({});

export const SaveDataConfig = Type.Object(
  {
    dataTypeSlug: Slug,
    // Required for publishing, but revisions published by an earlier release may lack it and keep running.
    fieldSlugs: Type.Optional(
      Type.Array(FieldSlug, {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'The fields that the agent may fill in. Required for publishing',
      }),
    ),
  },
  strict,
);
export const ReadDataConfig = Type.Object(
  {
    dataTypeSlug: Type.Optional(
      Type.String({
        ...Slug,
        description: 'The data type that the agent may read; all data types by default',
      }),
    ),
  },
  strict,
);
const slug = labelSlugPattern.replace(/[$^]/g, '');
export const SearchFilesConfig = Type.Object(
  {
    folderPath: Type.Optional(
      Type.String({
        pattern: `^${slug}(/${slug}){0,9}$`,
        maxLength: 640,
        description:
          'The slugs of a folder and of those above it, from the root: only files in it and below it are searched; by default all',
        examples: ['leaflets/aftercare'],
      }),
    ),
  },
  strict,
);
export const SendFilesConfig = Type.Object(
  {
    folderPath: Type.Optional(
      Type.String({
        pattern: `^${slug}(/${slug}){0,9}$`,
        maxLength: 640,
        description:
          'The slugs of a folder and of those above it, from the root: the agent is told the names of the files in it and below it that every member may see',
        examples: ['leaflets'],
      }),
    ),
  },
  strict,
);
const Outcome = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'An outcome, for programs',
  examples: ['postponed'],
});
export const ConcludeConfig = Type.Object(
  {
    outcomes: Type.Optional(
      Type.Array(Outcome, {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'The outcomes that the agent chooses from; it writes one of its own by default',
      }),
    ),
  },
  strict,
);
export type SaveDataConfig = Static<typeof SaveDataConfig>;
export type ReadDataConfig = Static<typeof ReadDataConfig>;
export type SearchFilesConfig = Static<typeof SearchFilesConfig>;
export type SendFilesConfig = Static<typeof SendFilesConfig>;
export type ConcludeConfig = Static<typeof ConcludeConfig>;

export const abilities = {
  save_data: { available: true, summary: "Save values in the member's record.", config: SaveDataConfig },
  read_data: { available: true, summary: "Read the member's records.", config: ReadDataConfig },
  send_sms: { available: true, summary: 'Send the member an SMS.', config: Nothing },
  search_files: {
    available: true,
    summary: 'Search the files that the member may see.',
    config: SearchFilesConfig,
  },
  send_files: {
    available: true,
    summary: 'Send the member files.',
    config: SendFilesConfig,
  },
  schedule_follow_up: { available: true, summary: 'Come back to the member later.', config: Nothing },
  handoff: { available: true, summary: 'Hand the chat over to a person.', config: Nothing },
  conclude: { available: true, summary: 'End the assignment.', config: ConcludeConfig },
  send_email: { available: false, summary: 'Send the member an email.', config: Anything },
  http_request: { available: false, summary: 'Call a web service.', config: Anything },
  place_call: { available: false, summary: 'Call the member.', config: Anything },
  forward_call: { available: false, summary: 'Transfer the call.', config: Anything },
  end_call: { available: false, summary: 'End the call.', config: Anything },
} as const satisfies Record<string, AbilityDeclaration>;

export type AbilityType = keyof typeof abilities;
export const abilityTypes = Object.keys(abilities) as AbilityType[];

export function isAbilityType(text: string): text is AbilityType {
  return Object.hasOwn(abilities, text);
}
