import type { OpenApiDocument } from '../../api/http/openapi/document.js';

export type Schema = { $ref?: string; [keyword: string]: unknown };

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

/** The parts of an operation of the OpenAPI document that a client needs. */
export interface Call {
  operationId: string;
  summary: string;
  method: string;
  path: string;
  pathParameters: Parameter[];
  query: Parameter[];
  body?: { mediaType: string; schema: Schema; required: boolean };
  /** Absent for an answer without content. */
  answer?: { mediaType: string; schema: Schema };
  /** Whether the operation accepts an `Idempotency-Key`. */
  keyed: boolean;
  /** Whether the operation accepts `If-Match`. */
  conditional: boolean;
  /** How a list is paged: by number of page, or by offset. */
  paged?: 'page' | 'offset';
}

type Content = Record<string, { schema: Schema }>;

/** For the carrier, and for mail servers. */
const machinesOnly = ['carrierSignature', 'inboxSecret', 'inboxSignature'];

/** Lists the operations in the order of the document, without those that a carrier or a mail server sends. */
export function callsOf({ paths }: OpenApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => !security.some((scheme) => machinesOnly.some((name) => name in scheme)))
      .map(([method, operation]): Call => {
        const parameters = (operation.parameters ?? []) as Parameter[];
        const names = new Set(parameters.map(({ name }) => name));
        const query = parameters.filter((parameter) => parameter.in === 'query');
        const body = bodyOf(operation.requestBody as { content: Content; required: boolean } | undefined);
        const answer = answerOf(operation.responses as Record<string, { content?: Content }>);
        const paged = names.has('page') ? 'page' : names.has('offset') ? 'offset' : undefined;
        return {
          operationId: operation.operationId,
          summary: operation.summary,
          method,
          path,
          pathParameters: parameters.filter((parameter) => parameter.in === 'path'),
          query,
          ...(body === undefined ? {} : { body }),
          ...(answer === undefined ? {} : { answer }),
          keyed: names.has('Idempotency-Key'),
          conditional: names.has('If-Match'),
          ...(paged === undefined ? {} : { paged }),
        };
      }),
  );
}

function bodyOf(body: { content: Content; required: boolean } | undefined): Call['body'] | undefined {
  const media = firstOf(body?.content);
  return media && body && { ...media, required: body.required };
}

function answerOf(responses: Record<string, { content?: Content }>): Call['answer'] | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return firstOf(success?.content);
}

function firstOf(content: Content | undefined): Call['answer'] | undefined {
  const [media] = Object.entries(content ?? {});
  return media && { mediaType: media[0], schema: media[1].schema };
}
