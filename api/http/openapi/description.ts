import { scopes } from '../../../domain/kernel/scopes.js';
import { statuses } from './problems.js';

const scopeTable = Object.entries(scopes)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join('\n');

/** What stands before the operations. */
export const description = `Keeps an organisation in touch with its members over SMS and web chat. Voice, email, files and sites come later.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`, the \`requestId\` that is in our log as well,
and \`errors\`: a JSON pointer, the part of the request that it points into (\`in\`: path, query or body) and a message
for each field that is wrong.

Unknown body fields and query parameters are refused, and so is a body where an operation takes none
(\`unexpected_body\`; an empty object counts as none). \`null\` for an optional field whose schema does not allow it is the
same as leaving it out. Bodies and queries are UTF-8.

A field whose value has to be unique in the workspace and is taken is 400, with the code \`duplicate\` and a pointer to it;
only a phone number is \`validation_failed\`, so that nobody learns which numbers others have.
409 says that the state of a thing does not allow the operation: its description names when, and the code.

Statuses beyond those of the interface specification: ${[405, 409, 413, 415, 422, 429, 503]
  .map((status) => `**${status}** ${statuses[status]}`)
  .join(' ')}

### Repeating requests

An operation that lists the header \`Idempotency-Key\` is carried out once for each key, for 24 hours, by credential
and path. Repeated, it answers as it did the first time, with \`Idempotency-Replayed: true\`; while the first is under
way 409 \`idempotency_key_in_use\`, with another body 422 \`idempotency_key_reused\`, and where the answer held a secret
or a data record that was deleted since 409 \`idempotency_answer_not_kept\`. What was refused or failed is not kept: repeated, it is tried again.

### Rate limits

\`RateLimit-Policy\` tells the quotas a request counted in (\`q\` requests in \`w\` seconds) and \`RateLimit\` what is left
of them (\`r\` requests until \`t\` seconds from now): those of the credential and of the workspace, or of the address
for callers without credentials.

### Web pages of other origins

A page of an origin in the workspace's \`allowedOrigins\` may call the paths below \`/w/{workspace_uuid}\` with a token
in \`Authorization\`, event streams included (by \`fetch\`). Cookies are never allowed from other origins. A page of
another origin is refused: 403 \`origin_not_allowed\`. Preflight requests are answered alike for every workspace.

### Scopes and permissions

As a scope, each cuts an API key down to what it names. As a permission, it raises a role above what members may do
with their own things.

| Name | Meaning |
|---|---|
${scopeTable}
`;
