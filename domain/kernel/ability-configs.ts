import Type, { type Static } from 'typebox';
import { E164 } from '../lib/schema-parts.js';
import { labelSlugPattern } from './labels.js';

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
export const Nothing = Type.Object({}, strict);
const approval = {
  requiresApproval: Type.Optional(
    Type.Boolean({
      description: 'True: a colleague has to approve each call before it is run. Default false',
    }),
  ),
};
export const OnlyApproval = Type.Object(approval, strict);
export const SendEmailConfig = Type.Object(
  {
    inbox: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9._-]{1,32}@[a-z0-9.-]{1,167}$',
        maxLength: 200,
        description:
          'The address of the inbox that sends; by default the only one of the workflow, else of the workspace',
        examples: ['desk@clinic-mail.example'],
      }),
    ),
    ...approval,
  },
  strict,
);

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
const forStrangers = {
  access: Type.Optional(
    Type.Literal('workspace', {
      description:
        '`workspace`: also somebody who has not proved to be a member, such as a visitor of a site, is shown what every member may see. By default they are shown what is public',
    }),
  ),
};
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
    ...forStrangers,
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
          'The slugs of a folder and of those above it, from the root: the agent is told the names of the files in it and below it that the member may see',
        examples: ['leaflets'],
      }),
    ),
    ...forStrangers,
    ...approval,
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
    ...approval,
  },
  strict,
);
/** Of an argument that the model chooses. */
const RequestParameter = Type.Object(
  {
    type: Type.Enum(['string', 'integer', 'number', 'boolean']),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    enum: Type.Optional(
      Type.Array(Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Number()]), {
        minItems: 1,
        maxItems: 100,
      }),
    ),
    minLength: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
  },
  strict,
);
const headerName = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$',
  maxLength: 64,
  description: 'Name of the header, such as `Authorization`',
});
const visible = '[ -~]';
export const secretNamePattern = '^[a-z][a-z0-9_]{0,62}$';
const HttpRequest = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      maxLength: 40,
      description: 'The name of the tool. No other tool has it',
      examples: ['find_free_times'],
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'What the tool does, for the model',
    }),
    method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], {
      description: 'The HTTP method; arguments of a GET or DELETE are not sent in a body',
    }),
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'Begins with https:// and a host of `requestHosts` of the workspace. `{name}` in the path or the query stands for an argument',
      examples: ['https://api.example.com/v1/days/{day}/times'],
    }),
    parameters: Type.Optional(
      Type.Object(
        {
          type: Type.Literal('object', { description: 'Arguments have names' }),
          properties: Type.Record(
            Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' }),
            RequestParameter,
            {
              maxProperties: 20,
              additionalProperties: false,
              description: 'The arguments by name, with their types and limits',
            },
          ),
          required: Type.Optional(
            Type.Array(Type.String({ maxLength: 40 }), {
              maxItems: 20,
              description: 'Names of the arguments that the model has to give',
            }),
          ),
        },
        {
          ...strict,
          description:
            'JSON Schema of the arguments, which are texts, numbers and truth values. Those that `url` does not name are sent in the query of a GET or DELETE, else in a JSON body',
        },
      ),
    ),
    headers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: headerName,
            value: Type.Optional(
              Type.String({
                pattern: `^${visible}{1,500}$`,
                maxLength: 500,
                description: 'The value that is sent, readable in the definition',
              }),
            ),
            secret: Type.Optional(
              Type.String({
                pattern: secretNamePattern,
                maxLength: 63,
                description: 'The name of a secret of the workspace, whose value is sent',
              }),
            ),
            prefix: Type.Optional(
              Type.String({
                pattern: `^${visible}{1,40}$`,
                maxLength: 40,
                description: 'What is put before the value of the secret, such as `Bearer `',
              }),
            ),
          },
          strict,
        ),
        {
          maxItems: 10,
          description:
            'Headers with a `value`, or with the name of a `secret` of the workspace, before which `prefix` is put, such as `Bearer `',
        },
      ),
    ),
    timeoutSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        description: 'The time limit of one attempt. Default 10',
      }),
    ),
    maxResultBytes: Type.Optional(
      Type.Integer({
        minimum: 256,
        maximum: 32_768,
        description: 'The rest of a longer answer is left out. Default 8192',
      }),
    ),
    idempotent: Type.Optional(
      Type.Boolean({
        description:
          'True: repeating the request does no harm, so that it is repeated, with the same Idempotency-Key, if it fails or its outcome is unknown. Default false: it is sent at most once',
      }),
    ),
    ...approval,
  },
  strict,
);
export const HttpRequestConfig = Type.Object(
  {
    requests: Type.Array(HttpRequest, {
      minItems: 1,
      maxItems: 10,
      description: 'The requests that the agent may make, each a tool',
    }),
  },
  strict,
);
export const PlaceCallConfig = Type.Object(
  {
    phoneNumber: Type.Optional(
      E164(
        'The number of the workspace that calls; by default that of the chat, else of the workflow, else the only one of the workspace',
        '+15550100100',
      ),
    ),
    ...approval,
  },
  strict,
);
export const ForwardCallConfig = Type.Object(
  {
    targets: Type.Array(
      Type.Object(
        {
          name: Type.String({
            pattern: '^[a-z][a-z0-9_]{0,39}$',
            maxLength: 40,
            description: 'What the agent chooses by',
            examples: ['front_desk'],
          }),
          description: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 300,
              description: 'When to transfer to it, for the model',
              examples: ['Questions about appointments, on weekdays from 8 to 17'],
            }),
          ),
          phoneNumber: E164('The number that is dialled', '+15550100110'),
        },
        strict,
      ),
      { minItems: 1, maxItems: 20, description: 'To whom the agent may transfer, and to no other number' },
    ),
    ringSeconds: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: 60,
        description: 'For how long it rings there before the agent takes the call back. Default 25',
      }),
    ),
  },
  strict,
);
export const mcpServerNamePattern = '^[a-z](_?[a-z0-9]){0,19}$';
export const McpToolsConfig = Type.Object(
  {
    tools: Type.Array(
      Type.Object(
        {
          server: Type.String({
            pattern: mcpServerNamePattern,
            maxLength: 40,
            description: 'The name of a remote MCP server of the workspace',
            examples: ['orders'],
          }),
          tool: Type.String({
            pattern: '^[A-Za-z0-9_./-]{1,128}$',
            maxLength: 128,
            description: 'The name of one of its tools',
            examples: ['find_order'],
          }),
        },
        strict,
      ),
      {
        minItems: 1,
        maxItems: 16,
        uniqueItems: true,
        description: 'The tools that the agent may use, as far as an admin has allowed them',
      },
    ),
  },
  strict,
);
export type McpToolsConfig = Static<typeof McpToolsConfig>;
export type PlaceCallConfig = Static<typeof PlaceCallConfig>;
export type ForwardCallConfig = Static<typeof ForwardCallConfig>;
export type HttpRequest = Static<typeof HttpRequest>;
export type HttpRequestConfig = Static<typeof HttpRequestConfig>;

export type SaveDataConfig = Static<typeof SaveDataConfig>;
export type ReadDataConfig = Static<typeof ReadDataConfig>;
export type SendEmailConfig = Static<typeof SendEmailConfig>;
export type SearchFilesConfig = Static<typeof SearchFilesConfig>;
export type SendFilesConfig = Static<typeof SendFilesConfig>;
export type ConcludeConfig = Static<typeof ConcludeConfig>;
