import type { OpenApiDocument } from '../../api/http/openapi/document.js';
import type { Call, Schema } from './calls.js';

const multipart = 'multipart/form-data';
const filePart = 'file';

/** The names of the models that a call's query, body and answer have in `models.py`. */
function modelNames({ operationId, body, answer }: Call) {
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  return {
    query: `${name}Query`,
    body: (body && referred(body.schema)) ?? `${name}Request`,
    answer: (answer && referred(answer.schema)) ?? `${name}Response`,
    /** The answer to a request with `total_count`. */
    counted: `${name}Page`,
  };
}

const total = 'total_count';

/** Whether the answer is an array, and an object with the array if the total is asked for. */
function isCounted({ query }: Call): boolean {
  return query.some(({ name }) => name === total);
}

/** The parameters of the query that the model of the query has. */
function namedQuery({ query }: Call): Call['query'] {
  return query.filter(({ name }) => name !== total);
}

function referred({ $ref }: Schema): string | undefined {
  return $ref?.replace('#/components/schemas/', '');
}

/** A document of schemas only, in which every query, body and answer has a name. */
export function namedSchemas(document: OpenApiDocument, calls: readonly Call[]): object {
  const added: Record<string, object> = {};
  for (const call of calls) {
    const names = modelNames(call);
    if (namedQuery(call).length > 0) added[names.query] = queryModel(call);
    if (call.body !== undefined) {
      const schema = (document.components.schemas[names.body] as Schema | undefined) ?? call.body.schema;
      added[names.body] = call.body.mediaType === multipart ? withoutFile(schema) : schema;
    }
    if (call.answer === undefined || !hasModel(call.answer)) continue;
    const { schema } = call.answer;
    const known = document.components.schemas[names.answer] as Schema | undefined;
    const forms = isCounted(call) ? (known ?? schema).anyOf : undefined;
    if (Array.isArray(forms)) [added[names.answer], added[names.counted]] = forms;
    else added[names.answer] = withoutFailure(known ?? schema);
  }
  added.WebhookEvent = { oneOf: eventSchemas(document) };
  return {
    openapi: document.openapi,
    info: document.info,
    paths: {},
    components: { schemas: { ...document.components.schemas, ...added } },
  };
}

/** The bodies of the requests that receivers of webhooks get. */
function eventSchemas({ webhooks }: OpenApiDocument): object[] {
  return Object.values(webhooks).map(({ post }) => {
    const { content } = post.requestBody as { content: Record<string, { schema: object }> };
    return content['application/json']?.schema ?? {};
  });
}

function queryModel(call: Call): object {
  const query = namedQuery(call);
  return {
    type: 'object',
    required: query.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
  };
}

/** The fields beside the file, which is an argument of its own. */
function withoutFile({ properties, required, ...rest }: Schema): object {
  const { [filePart]: _, ...fields } = properties as Record<string, object>;
  return {
    ...rest,
    properties: fields,
    required: (required as string[]).filter((name) => name !== filePart),
  };
}

/** The client raises `StreamError` for the line that reports a failure. */
function withoutFailure(schema: Schema): object {
  for (const union of ['oneOf', 'anyOf']) {
    const lines = schema[union] as Schema[] | undefined;
    const others = lines?.filter((line) => referred(line) !== 'StreamFailure');
    if (others?.length === 1) return others[0] as object;
    if (others !== undefined) return { ...schema, [union]: others };
  }
  return schema;
}

function hasModel({ mediaType }: { mediaType: string }): boolean {
  return !['text/csv', 'text/xml', '*/*'].includes(mediaType);
}

/** `operations.py`: a method for each operation. */
export function pythonOperations(calls: readonly Call[], header: string): string {
  const offsets = calls
    .filter(({ paged }) => paged === 'offset')
    .map(({ operationId }) => snake(operationId));
  return `# ${header}
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, overload

from typing_extensions import Unpack

from . import models
from .transport import Transport, Upload

#: Operations whose lists are paged by limit and offset.
PAGED_BY_OFFSET = frozenset({${offsets.map((name) => `"${name}"`).join(', ')}})


class Operations(Transport):
    """The operations of the service, by the operation ids of the API document."""
${calls.map(method).join('')}`;
}

/** The method of the transport for each type of answer. */
const senders: Record<string, { send: string; type: (model: string) => string }> = {
  'text/event-stream': { send: '_events', type: (model) => `Iterator[${model}]` },
  'application/x-ndjson': { send: '_lines', type: (model) => `Iterator[${model}]` },
  'text/csv': { send: '_text', type: () => 'Iterator[str]' },
  '*/*': { send: '_bytes', type: () => 'Iterator[bytes]' },
};
const json = { send: '_send', type: (model: string) => model };

function method(call: Call): string {
  const names = modelNames(call);
  const isUpload = call.body?.mediaType === multipart;
  const inPath = call.pathParameters.filter(({ name }) => name !== 'workspace_uuid');
  const { send, type } = senders[call.answer?.mediaType ?? ''] ?? json;
  const isStream = call.answer?.mediaType === 'text/event-stream';

  const counted = isCounted(call) ? [`${total}: bool = False`] : [];
  const keywordOnly = [
    ...counted,
    ...(call.keyed ? ['idempotency_key: str | None = None'] : []),
    ...(call.conditional ? ['if_match: str | None = None'] : []),
    ...(isStream ? ['last_event_id: str | None = None'] : []),
  ];
  const parameters = [
    'self',
    ...inPath.map(({ name, schema }) => `${name}: ${schema.type === 'integer' ? 'int' : 'str'}`),
    ...(isUpload ? [`${filePart}: Upload`] : []),
    ...(call.body && !isUpload
      ? [call.body.required ? `body: models.${names.body}` : `body: models.${names.body} | None = None`]
      : []),
    ...(keywordOnly.length === 0 ? [] : ['*', ...keywordOnly]),
    ...(isUpload ? [`**fields: Unpack[models.${names.body}]`] : []),
    ...(namedQuery(call).length > 0 ? [`**query: Unpack[models.${names.query}]`] : []),
  ];
  const values = inPath.map(({ name }) => `"${name}": ${name}`).join(', ');
  const given = [
    `"${call.method.toUpperCase()}"`,
    `"${call.path}"`,
    `{${values}}`,
    ...(counted.length > 0 ? [`query={**query, "${total}": ${total} or None}`] : []),
    ...(call.query.length > 0 && counted.length === 0 ? ['query=query'] : []),
    ...(isUpload ? ['file=file', 'fields=fields'] : []),
    ...(call.body && !isUpload ? ['body=body'] : []),
    ...(call.keyed ? ['keyed=True', 'idempotency_key=idempotency_key'] : []),
    ...(call.conditional ? ['if_match=if_match'] : []),
    ...(isStream ? ['last_event_id=last_event_id'] : []),
  ];
  const answer = call.answer === undefined ? 'None' : type(`models.${names.answer}`);
  const signature = (given: readonly string[], result: string) =>
    `def ${snake(call.operationId)}(
        ${given.join(',\n        ')},
    ) -> ${result}:`;
  const overload = (form: string, result: string) => {
    const given = parameters.map((parameter) =>
      counted.includes(parameter) ? `${total}: ${form}` : parameter,
    );
    return `
    @overload
    ${signature(given, result)} ...
`;
  };
  const page = `models.${names.counted}`;
  const overloads = counted.map(
    () => overload('Literal[False] = False', answer) + overload('Literal[True]', page),
  );
  return `${overloads.join('')}
    ${signature(parameters, counted.length > 0 ? `${answer} | ${page}` : answer)}
        """${call.summary.replace(/\.?$/, '.')}"""
        return self.${send}(${given.join(', ')})
`;
}

/** `listMembers` → `list_members`. */
function snake(operationId: string): string {
  return operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
