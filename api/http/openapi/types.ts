/** An OpenAPI 3.1 document, as far as we look into it. */
export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  /** What receivers of events are sent, by the events' types. */
  webhooks: Record<string, { post: OpenApiOperation }>;
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
