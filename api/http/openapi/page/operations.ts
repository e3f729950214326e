import { type Html, html } from '../../html.js';
import type { OpenApiOperation } from '../document.js';
import { inlineMarkdown, markdown } from './markdown.js';
import { kindOf, type Schema, type SchemaViews } from './schemas.js';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

/** The link to an operation, also in other documents. The browser finds its place without a script. */
export function linkOf({ tags, operationId }: OpenApiOperation): string {
  return `/${encodeURIComponent(tags[0] ?? '')}/${operationId}`;
}

export function operationView(
  operation: OpenApiOperation,
  { method, path }: { method: string; path: string },
  schemas: SchemaViews,
): Html {
  const link = linkOf(operation);
  const content = (operation.requestBody as { content?: Content } | undefined)?.content ?? {};
  const parameters = (operation.parameters ?? []) as Parameter[];
  const isOurs = !operation.security.some((one) => 'carrierSignature' in one);
  const isWebhook = method === 'WEBHOOK';
  const trial = isOurs && !isWebhook;
  return html`<article id="${link}">
<h3><a href="#${link}"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></a></h3>
<p><b>${operation.summary}</b> <code>${operation.operationId}</code></p>
${markdown(operation.description ?? '')}
${trial ? tryView(operation, { method, path, parameters, content }, schemas) : parameterList(parameters)}
${isOurs ? undefined : html`<p>Only the carrier can sign this request, so it cannot be tried here.</p>`}
${Object.entries(content).map(
  ([mediaType, { schema }]) => html`<h4>Body, ${mediaType}</h4>\n${schemas.view(schema)}`,
)}
<h4>${isWebhook ? 'Your answers' : 'Answers'}</h4>
${answersView(operation.responses, schemas)}
</article>
`;
}

/** The answers of the operation itself, and links to those that many operations have. */
function answersView(responses: OpenApiOperation['responses'], schemas: SchemaViews): Html {
  const entries = Object.entries(responses);
  const own = entries.filter(([, response]) => !('$ref' in response));
  const shared = entries.filter(([, response]) => '$ref' in response);
  const links = shared.map(([status]) => html` <a href="#/errors/${status}">${status}</a>`);
  return html`<ul>${own.map(([status, response]) => answerView(status, response, schemas))}
${links.length === 0 ? undefined : html`<li>Errors, as everywhere:${links}</li>`}</ul>`;
}

function answerView(status: string, response: object, schemas: SchemaViews): Html {
  const { description = '', content = {} } = response as { description?: string; content?: Content };
  const bodies = Object.entries(content).map(
    ([mediaType, { schema }]) => html`<br>${mediaType} ${schemas.view(schema)}`,
  );
  return html`<li>${status} ${inlineMarkdown(description)} ${bodies}</li>`;
}

function parameterList(parameters: readonly Parameter[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  const views = parameters.map(
    ({ name, description = '', schema }) =>
      html`<li><code>${name}</code> <small>${kindOf(schema)}</small> ${inlineMarkdown(description)}</li>`,
  );
  return html`<h4>Parameters</h4><ul>${views}</ul>`;
}

/** The form that sends the request. The workspace is entered once, at the top of the page. */
function tryView(
  { operationId, responses }: OpenApiOperation,
  request: { method: string; path: string; parameters: readonly Parameter[]; content: Content },
  schemas: SchemaViews,
): Html {
  const { method, path, parameters, content } = request;
  const streams = JSON.stringify(responses).includes('"text/event-stream"');
  const [[mediaType, body] = []] = Object.entries(content);
  return html`<form class="try" data-operation="${operationId}" data-method="${method}" data-path="${path}" aria-label="Try ${operationId}">
${parameters
  .filter(({ name }) => name !== 'workspace_uuid')
  .map((parameter) => parameterField(`${operationId}.${parameter.name}`, parameter))}
${body && mediaType ? bodyFields(operationId, mediaType, { ...body, schema: schemas.resolve(body.schema) }) : undefined}
<p><button type="submit">Send</button> <button type="button" class="stop" disabled>Stop</button>
${streams ? 'The answer is a stream: events are shown as they come, until you stop it.' : undefined}</p>
</form>`;
}

function parameterField(id: string, parameter: Parameter): Html {
  const { name, description = '', required, schema } = parameter;
  const told = html`<small id="${id}.told">${parameter.in}, ${kindOf(schema)}</small> ${inlineMarkdown(description)}`;
  const label = html`<label for="${id}"><code>${name}</code>${required ? html` <b>required</b>` : undefined}</label>`;
  return html`<div class="field">${label}${inputOf(id, parameter)}<span>${told}</span></div>\n`;
}

function inputOf(id: string, { name, in: place, required, schema, example }: Parameter): Html {
  // A field's own `name` would replace the property of the form that has the same name, such as `after`.
  const shared = html`id="${id}" data-name="${name}" data-in="${place}" aria-describedby="${id}.told"${required ? html` required` : undefined}`;
  const filled = example === undefined ? '' : [example].flat().join('\n');
  const values = schema.type === 'boolean' ? [true, false] : schema.enum;
  if (values !== undefined) {
    const options = values.map(
      (value) =>
        html`<option${String(value) === filled ? html` selected` : undefined}>${String(value)}</option>`,
    );
    return html`<select ${shared}>${required ? undefined : html`<option></option>`}${options}</select>`;
  }
  if (schema.type === 'array') {
    return html`<textarea ${shared} rows="2" placeholder="one value per line">${filled}</textarea>`;
  }
  return html`<input ${shared} value="${filled}">`;
}

function bodyFields(operationId: string, mediaType: string, { schema, example }: Content[string]): Html {
  if (mediaType === 'multipart/form-data')
    return formFields(operationId, schema, example as object | undefined);
  const id = `${operationId}.body`;
  const text = example === undefined ? '' : JSON.stringify(example, null, 2);
  const rows = Math.min(24, Math.max(3, text.split('\n').length));
  return html`<div class="field wide"><label for="${id}">Body, ${mediaType}</label>
<textarea id="${id}" class="body" spellcheck="false" rows="${rows}">${text}</textarea></div>\n`;
}

/** Fields of an upload. A file may be chosen, or written as text. */
function formFields(operationId: string, schema: Schema, example: object = {}): Html {
  const values = example as Record<string, string>;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const id = `${operationId}.${name}`;
    const isFile = field.format === 'binary';
    const input = isFile
      ? html`<input id="${id}" type="file" data-name="${name}" data-in="form"><label for="${id}.text">or its text</label>
<textarea id="${id}.text" data-name="${name}" data-in="text" rows="4">${values[name] ?? ''}</textarea>`
      : html`<input id="${id}" data-name="${name}" data-in="form" value="${values[name] ?? ''}">`;
    const told = html`<small>form, ${kindOf(field)}</small> ${inlineMarkdown(field.description ?? '')}`;
    return html`<div class="field"><label for="${id}"><code>${name}</code></label><div>${input}</div><span>${told}</span></div>\n`;
  });
  return html`${fields}`;
}
