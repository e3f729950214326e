import { scopes } from '../../../domain/kernel/scopes.js';
import { statuses } from './problems.js';

const scopeTable = Object.entries(scopes)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join('\n');

/** The text before the operations. */
export const description = `Keeps an organisation in touch with its members over SMS and web chat. Voice, email, files and sites come later.

Errors are \`application/problem+json\` (RFC 9457). They have a stable \`code\`, the \`requestId\`, which the service also logs,
and \`errors\`: for each invalid field a JSON pointer, the part of the request that it points into (\`in\`: path, query or
body) and a message.

Unknown body fields and query parameters are refused, and so is a body if the operation has none
(\`unexpected_body\`; an empty object counts as no body). \`null\` for an optional field whose schema does not allow it counts
as omitted. Bodies and queries are UTF-8.

A value that must be unique in the workspace and is already in use is refused with 400, the code \`duplicate\` and a pointer
to the field. For a phone number the code is \`validation_failed\`, so that callers cannot probe which numbers others have.
409 means that the state of a resource does not allow the operation; the operation's description lists the cases and codes.

Statuses beyond those of the interface specification: ${[405, 409, 413, 415, 422, 429, 503]
  .map((status) => `**${status}** ${statuses[status]}`)
  .join(' ')}

### Repeating requests

An operation that lists the header \`Idempotency-Key\` is performed once per key, credential and path within 24 hours. A
repeated request gets the first answer, with \`Idempotency-Replayed: true\`. It gets 409 \`idempotency_key_in_use\` while the
first request is in progress, 422 \`idempotency_key_reused\` if its body differs, and 409 \`idempotency_answer_not_kept\` if
the first answer contained a secret or a data record that has since been deleted. Refusals and failures are not stored:
a repeated request is tried again.

### Rate limits

\`RateLimit-Policy\` lists the quotas that a request counts against (\`q\` requests in \`w\` seconds), and \`RateLimit\` what
is left of each (\`r\` requests for the next \`t\` seconds): the quotas of the credential and of the workspace, or the quota
of the IP address for callers without credentials.

### Web pages of other origins

A page of an origin in the workspace's \`allowedOrigins\` may call the paths below \`/w/{workspace_uuid}\` with a token
in \`Authorization\`, including event streams (with \`fetch\`). Cookies are never accepted from other origins. A page of
any other origin is refused with 403 \`origin_not_allowed\`. The answer to preflight requests is the same for every workspace.

### Scopes and permissions

As a scope, each name below allows an API key the operations that need it; a key has no others. As a permission, it allows
the members of a role more than access to their own resources.

| Name | Meaning |
|---|---|
${scopeTable}
`;
