import type { OpenApiDocument } from '../../api/http/openapi/document.js';
import type { Call } from './calls.js';

/** Kinds of answers and bodies that are not JSON. */
const kinds: Record<string, string> = {
  'text/event-stream': 'events',
  'application/x-ndjson': 'lines',
  'text/csv': 'text',
  '*/*': 'bytes',
};

/** The document without error responses, whose type is the same for all operations. */
export function withoutProblems({ paths, ...rest }: OpenApiDocument): OpenApiDocument {
  const successes = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const responses = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
        return [method, { ...operation, responses: Object.fromEntries(responses) }];
      }),
    ),
  ]);
  return { ...rest, paths: Object.fromEntries(successes) };
}

/** `operations.ts`: what the client has to know of each operation at run time. */
export function typescriptOperations(calls: readonly Call[], header: string): string {
  const entries = calls.map((call) => {
    const { operationId, summary, method, path, body, answer, keyed, paged } = call;
    const parts = [
      `method: '${method}'`,
      `path: '${path}'`,
      ...(body?.mediaType === 'multipart/form-data' ? ["takes: 'form'"] : []),
      ...(answer && kinds[answer.mediaType] ? [`answers: '${kinds[answer.mediaType]}'`] : []),
      ...(keyed ? ['keyed: true'] : []),
      ...(paged ? [`paged: '${paged}'`] : []),
    ];
    return `  /** ${summary} */\n  ${operationId}: { ${parts.join(', ')} },\n`;
  });
  return `// ${header}\n\n/** The operations of the service. */\nexport const operations = {\n${entries.join('')}} as const;\n`;
}
