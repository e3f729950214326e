import { describe, expect, it } from 'vitest';
import type { OpenApiDocument, OpenApiOperation } from '../../../api/http/openapi/document.js';
import { referencePage } from '../../../api/http/openapi/page/reference-page.js';

const schemas = {
  Note: {
    type: 'object',
    properties: {
      text: { type: 'string', maxLength: 20, description: 'What is <b>written**' },
      author: { $ref: '#/components/schemas/Person' },
    },
    required: ['text'],
  },
  Person: { type: 'object', properties: { name: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
};

/** A document with one operation of these parts. */
function documentOf(operation: Partial<OpenApiOperation>): OpenApiDocument {
  const answer = {
    description: 'Done.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Person' } } },
  };
  const whole = {
    operationId: 'createNote',
    tags: ['Two words'],
    summary: 'Create a note',
    responses: { 200: answer },
    security: [{ apiKey: [] }],
    ...operation,
  };
  return {
    openapi: '3.1.0',
    info: {},
    servers: [],
    tags: [{ name: 'Two words', description: 'Notes' }],
    paths: { '/w/{workspace_uuid}/notes/{note_id}': { post: whole } },
    webhooks: {},
    'x-error-codes': [],
    components: { schemas, responses: {}, securitySchemes: {} },
  };
}

const body = (mediaType: string, content: object) => ({ requestBody: { content: { [mediaType]: content } } });
const parameter = (name: string, rest: object) => {
  return { name, in: 'query', required: false, schema: { type: 'string' }, ...rest };
};

describe('the reference page', () => {
  it('prefills parameters and body with the examples of the document', () => {
    const parameters = [
      parameter('workspace_uuid', { in: 'path', example: 'x' }),
      parameter('note_id', { in: 'path', required: true, example: 7 }),
      parameter('status', { schema: { type: 'string', enum: ['open', 'done'] }, example: 'done' }),
      parameter('label', { schema: { type: 'array', items: {} }, example: ['a', 'b'] }),
      parameter('search', {}),
    ];
    const example = { text: 'Say "hi" & <bye>' };
    const page = referencePage(
      documentOf({
        parameters,
        ...body('application/json', { schema: { $ref: '#/components/schemas/Note' }, example }),
      }),
    );
    expect(page).toMatch(/<input id="createNote.note_id"[^>]* required value="7">/);
    expect(page).toContain('<option selected>done</option>');
    expect(page).toMatch(/<textarea id="createNote.label"[^>]*>a\nb<\/textarea>/);
    expect(page).toMatch(/<input id="createNote.search"[^>]* value="">/);
    expect(page).toContain('&quot;text&quot;: &quot;Say \\&quot;hi\\&quot; &amp; &lt;bye&gt;&quot;');
    expect(page).not.toContain('createNote.workspace_uuid');
  });

  it('offers a file, or its text with the example in it', () => {
    const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
    const page = referencePage(
      documentOf(body('multipart/form-data', { schema, example: { file: 'a,b\n1,2' } })),
    );
    expect(page).toContain('<input id="createNote.file" type="file" data-name="file" data-in="form">');
    expect(page).toMatch(/<textarea id="createNote.file.text"[^>]*>a,b\n1,2<\/textarea>/);
  });

  it('shows a schema once: where it is used, or in its own place if it is used several times', () => {
    const page = referencePage(
      documentOf(body('application/json', { schema: { $ref: '#/components/schemas/Note' } })),
    );
    expect(
      page.match(/<code>text<\/code> <b>required<\/b> <small>string, at most 20 characters<\/small>/g),
    ).toHaveLength(1);
    expect(page).toContain('<i id="/schemas/Note">');
    expect(page.match(/<a href="#\/schemas\/Person">/g)).toHaveLength(3);
    expect(page).toMatch(
      /<article id="\/schemas\/Person">.*<code>name<\/code> <small>null or<\/small> <small>string<\/small>/,
    );
  });

  it('escapes what descriptions have of HTML', () => {
    const page = referencePage(documentOf({ description: 'A <script>x</script> of `<b>`.' }));
    expect(page).toContain('&lt;script&gt;x&lt;/script&gt; of <code>&lt;b&gt;</code>');
    expect(page).not.toContain('<b>written');
  });

  it('links operations by tag and name, so that the browser finds their place without a script', () => {
    const page = referencePage(documentOf({}));
    expect(page).toContain('<article id="/Two%20words/createNote">');
    expect(page).toContain('href="#/Two%20words/createNote"');
  });

  it('has no form for requests that only the carrier can sign', () => {
    const page = referencePage(documentOf({ security: [{ carrierSignature: [] }] }));
    expect(page).not.toContain('class="try"');
    expect(page).toContain('Only the carrier can sign this request');
  });

  it('explains event streams', () => {
    const stream = {
      description: 'Events',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    };
    expect(referencePage(documentOf({ responses: { 200: stream } }))).toContain('The answer is a stream');
    expect(referencePage(documentOf({}))).not.toContain('The answer is a stream');
  });
});
