import type { errorCodes } from '../error-codes.js';

/** The parts of an OpenAPI 3.1 document that the code reads. */
export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  /** The requests that receivers of events get, by event type. */
  webhooks: Record<string, { post: OpenApiOperation }>;
  'x-error-codes': typeof errorCodes;
  components: Record<'schemas' | 'responses' | 'securitySchemes', Record<string, object>>;
}

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
  security: Record<string, string[]>[];
}
