import Type from 'typebox';
import { maxDescriptionLength, toolProblems } from '../../../../domain/definitions/mcp-servers/read-tool.js';
import { mcpServerNamePattern } from '../../../../domain/kernel/ability-configs.js';
import { Id, Nullable, Picked, Time, Timestamp, Uuid } from '../../../http/schemas.js';
import { UsingWorkflows } from '../using-workflows-schema.js';

const Name = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: mcpServerNamePattern,
  description:
    'What workflows call it, and what the names of its tools begin with: letters in lower case, digits, and single underscores between them, at most 40 characters',
  examples: ['orders'],
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'The address of its endpoint (Streamable HTTP), which begins with https:// and is on the public internet',
  examples: ['https://mcp.example.com/mcp'],
});
const Token = Nullable(
  Type.String({
    minLength: 8,
    maxLength: 4_096,
    pattern: '^[!-~]+$',
    description:
      'Sent to it as `Authorization: Bearer …`; null: it needs none. Stored encrypted, and in no answer. With another `url` it has to be given again',
  }),
);
const Enabled = Type.Boolean({ description: 'False: agents use none of its tools' });
const Approval = Type.Enum(['none', 'person'], {
  description: '`person`: a colleague has to approve each call of an agent before it is run',
});
const Digest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'Of all that the server says of the tool (SHA-256)',
});

export const McpServerResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Name,
    url: Url,
    hasToken: Type.Boolean({ description: 'Whether a token is sent to it' }),
    enabled: Enabled,
    refusedAt: Nullable(
      Time({
        description:
          'Since when it refuses the token (401, 403), or asks for a payment (402): agents call none of its tools, except for one call in a quarter of an hour that tries; null: it does not',
      }),
    ),
    refreshedAt: Nullable(Time({ description: 'When it last listed its tools; null: never' })),
    refreshFailure: Nullable(
      Type.String({
        description:
          'Why the last attempt to list its tools failed, such as `unauthorized`, `timeout`, `address_refused` or `http_503`; null: it did not',
        examples: ['unauthorized'],
      }),
    ),
    isListCut: Type.Boolean({ description: 'Whether it has more tools than the 100 that are read' }),
    workflows: UsingWorkflows,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'McpServerResponse' },
);

export const CreateMcpServerRequest = Type.Object(
  { name: Name, url: Url, token: Type.Optional(Token), enabled: Type.Optional(Enabled) },
  { $id: 'CreateMcpServerRequest' },
);

export const UpdateMcpServerRequest = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    token: Type.Optional(Token),
    enabled: Type.Optional(Enabled),
  },
  { $id: 'UpdateMcpServerRequest', minProperties: 1 },
);

const meanings = Object.entries(toolProblems).map(([code, meaning]) => `\`${code}\`: ${meaning}.`);

export const McpToolResponse = Picked(
  {
    id: Id,
    name: Type.String({ description: 'What the server calls it', examples: ['find_order'] }),
    toolName: Type.String({
      description: 'What models call it: the name of the server, two underscores and its name',
      examples: ['orders__find_order'],
    }),
    title: Nullable(Type.String({ description: 'What the server calls it for people' })),
    description: Type.String({
      description: `What the server says of it, for models: at most ${maxDescriptionLength} characters`,
    }),
    inputSchema: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'JSON Schema of its arguments as models are told it, without patterns and references; null: it cannot be told',
      }),
    ),
    isReadOnly: Type.Boolean({ description: 'Whether the server says that it changes nothing' }),
    isIdempotent: Type.Boolean({ description: 'Whether the server says that a second call does no harm' }),
    isDestructive: Type.Boolean({
      description: 'Whether it may destroy something: so it is unless the server says otherwise',
    }),
    state: Type.Enum(['allowed', 'not_allowed', 'changed', 'gone', 'unusable'], {
      description:
        'Whether agents may use it: `changed`: the server says something else of it than was allowed; `gone`: the server does not list it any more; `unusable`: `problem` says why',
    }),
    problem: Nullable(
      Type.Enum(Object.keys(toolProblems) as (keyof typeof toolProblems)[], {
        description: `Why agents cannot use it; null: they can. ${meanings.join(' ')}`,
      }),
    ),
    digest: Digest,
    approval: Nullable(Approval),
    allowedAt: Nullable(Time({ description: 'When it was last allowed' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'McpToolResponse' },
);

export const AllowMcpToolRequest = Type.Object(
  { digest: Digest, approval: Approval },
  { $id: 'AllowMcpToolRequest' },
);
