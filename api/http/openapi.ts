import { scopes } from '../../domain/kernel/scopes.js';
import { errorCodes } from './error-codes.js';
import { describeFields } from './openapi/describe-fields.js';
import type { OpenApiDocument, OpenApiOperation } from './openapi/document.js';
import { operation, securitySchemes } from './openapi/operation.js';
import { problemResponses, referredStatuses, statuses } from './openapi/problems.js';
import { describeTasks } from './openapi/task-inputs.js';
import { webhooks } from './openapi/webhooks.js';
import type { Route } from './route.js';
import { Problem } from './schemas.js';
import { type Tag, tags } from './tags.js';
import { NamedSchemas } from './validation/named-schemas.js';

/** Builds the document from the routes and the schemas of events, so that it cannot deviate from the service. */
export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const components = new NamedSchemas('#/components/schemas/', { collectAll: true });
  const problem = components.refer(Problem);
  // Answers come first: where a request and an answer use the same part, the answer's schema keeps the plain name.
  for (const { response } of routes) {
    if (response.schema !== undefined) components.refer(response.schema);
    for (const schema of Object.values(response.events ?? {})) components.refer(schema);
  }
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, components) };
  }
  const told = webhooks(components);
  describeTasks(components.schemas);
  describeFields(components.schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Engagement Service',
      version: '2.0.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: `${introduction}\n${scopeTable}`,
    },
    servers: [{ url: '/api/v2' }],
    tags: tagsOf([...Object.values(paths), ...Object.values(told)]),
    paths,
    webhooks: told,
    'x-error-codes': errorCodes,
    components: {
      schemas: components.schemas,
      responses: problemResponses(problem, referredStatuses(paths)),
      securitySchemes,
    },
  };
}

function tagsOf(operations: readonly Record<string, OpenApiOperation>[]): OpenApiDocument['tags'] {
  const used = new Set(operations.flatMap((methods) => Object.values(methods).flatMap((one) => one.tags)));
  return (Object.keys(tags) as Tag[])
    .filter((name) => used.has(name))
    .map((name) => ({ name, description: tags[name] }));
}

const scopeRows = Object.entries(scopes)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join('\n');

/** What holds for all operations. */
export const introduction = `Keeps an organisation in touch with its members over SMS, email, web chat and phone: members, their data, and chats in which an agent
leads them through the tasks of a workflow.

Errors are \`application/problem+json\` (RFC 9457). They have a stable \`code\`, the \`requestId\`, which the service also logs,
and \`errors\`: for each invalid field a JSON pointer, the part of the request that it points into (\`in\`: path, query or
body) and a message. The extension \`x-error-codes\` of this document lists all codes with their statuses.

Times are ISO 8601 in UTC, such as \`2030-01-31T12:00:00Z\`; dates are \`YYYY-MM-DD\`. Periods of creation are \`createdFrom\`
(inclusive) and \`createdBefore\` (exclusive).

Examples name objects of the demo workspace that \`npm start\` creates, and work there as they stand, with the API key
that it prints; an operation whose example needs something else says so. What may change within this version, and what is deprecated, is in docs/compatibility.md.

Unknown body fields and query parameters are refused, and so is a body if the operation has none
(\`unexpected_body\`; an empty object counts as no body). \`null\` for an optional field whose schema does not allow it counts
as omitted. Bodies and queries are UTF-8. In answers, a required field without a value is \`null\`, and an optional one is
left out, unless its schema allows \`null\`.

Lists that grow have pages: \`items\`, with \`total\`. The messages of a chat are a plain array, with \`total_count\` an object with
\`messages\`; a shared folder has its page in \`files\`. What is short by nature is a plain array.

A value that must be unique in the workspace and is already in use is refused with 400, the code \`duplicate\` and a pointer
to the field. For a phone number the code is \`validation_failed\`, so that callers cannot probe which numbers others have.
409 means that the state of a resource does not allow the operation; the operation's description lists the cases and codes.

Statuses that any operation may answer: ${[405, 409, 412, 413, 415, 416, 422, 429, 503]
  .map((status) => `**${status}** ${statuses[status]}`)
  .join(' ')}

### Repeating requests

An operation that lists the header \`Idempotency-Key\` is performed once per key, credential and path within 24 hours. A
repeated request gets the first answer, with \`Idempotency-Replayed: true\`. It gets 409 \`idempotency_key_in_use\` while the
first request is in progress, 422 \`idempotency_key_reused\` if its body differs, and 409 \`idempotency_answer_not_kept\` if
the first answer contained a secret or a data record that has since been deleted. Refusals and failures are not stored:
a repeated request is tried again.

### Changes in between

Workflows, their revisions, data records and chats have an \`ETag\`, which changes with every change that the caller can
see. With it in \`If-Match\`, a change is made only if the resource is still as it was read; otherwise the answer is
412 \`precondition_failed\`, and of two such changes at once one is made. With it in \`If-None-Match\`, a GET
answers 304 if nothing has changed. Operations that change something and list no \`If-Match\` refuse the header with
412 \`precondition_not_supported\` instead of ignoring it.

### Rate limits

\`RateLimit-Policy\` lists the quotas that a request counts against (\`q\` requests in \`w\` seconds), and \`RateLimit\` what
is left of each (\`r\` requests for the next \`t\` seconds): the quotas of the credential and of the workspace, or the quota
of the IP address for callers without credentials.

### Web pages of other origins

A page of an origin in the workspace's \`allowedOrigins\` may call the paths below \`/w/{workspace_uuid}\` with a token
in \`Authorization\`, including event streams (with \`fetch\`). Cookies are never accepted from other origins. A page of
any other origin is refused with 403 \`origin_not_allowed\`. The answer to preflight requests is the same for every workspace.
`;

/** Every scope and permission. */
export const scopeTable = `### Scopes and permissions

As a scope, each name below allows an API key the operations that need it; a key has no others. As a permission, it allows
the members of a role more than access to their own resources.

| Name | Meaning |
|---|---|
${scopeRows}
`;
