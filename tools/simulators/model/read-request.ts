import { isObject, type JsonObject } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';
import type { CompletionRequest, Message, Tool, ToolCall } from './protocol.js';

/**
 * Reads a chat completion request, as strict as the real service about mistakes that would otherwise show only in
 * production: empty tools, results without calls, calls without results. @throws HttpFailure 400 in the service's form
 */
export function readRequest(body: unknown): CompletionRequest {
  if (!isObject(body)) throw invalid('The body has to be an object.', null);
  if (typeof body.model !== 'string' || body.model === '') throw invalid('A model is required.', 'model');
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    throw invalid('At least one message is required.', 'messages');
  }
  const messages = body.messages.map(readMessage);
  checkToolResults(messages);
  return {
    model: body.model,
    messages,
    tools: readTools(body.tools),
    stream: body.stream === true,
    includeUsage: isObject(body.stream_options) && body.stream_options.include_usage === true,
  };
}

/** An error in the format of the real service. */
function invalid(message: string, param: string | null, code: string | null = null): HttpFailure {
  return new HttpFailure(400, { error: { message, type: 'invalid_request_error', param, code } });
}

function readMessage(value: unknown, index: number): Message {
  const param = `messages.[${index}]`;
  if (!isObject(value)) throw invalid('A message has to be an object.', param);
  const text = readContent(value.content, `${param}.content`);
  switch (value.role) {
    case 'system':
    case 'developer':
      return { role: 'system', text };
    case 'user':
      return { role: 'user', text: wordsOf(value.content, text, param) };
    case 'assistant': {
      const callsParam = `${param}.tool_calls`;
      const toolCalls = listIn(value.tool_calls, callsParam).map((item) => readToolCall(item, callsParam));
      const isEmpty = value.content == null && toolCalls.length === 0;
      if (isEmpty) throw invalid('Content is required.', `${param}.content`);
      return { role: 'assistant', text, toolCalls };
    }
    case 'tool': {
      const toolCallId = value.tool_call_id;
      if (typeof toolCallId !== 'string') throw invalid('An id is required.', `${param}.tool_call_id`);
      return { role: 'tool', toolCallId, text };
    }
    default:
      throw invalid('Unknown role.', `${param}.role`);
  }
}

function readContent(content: unknown, param: string): string {
  if (content == null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalid('Content has to be a string or an array.', param);
  return content
    .map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

const notes = /^\[Note of the service/;

/**
 * The words of a person's message with files: what the service notes about them is not said by the person. The bytes of
 * images are looked at, as the real service does: one that it cannot read refuses the whole request.
 */
function wordsOf(content: unknown, text: string, param: string): string {
  if (!Array.isArray(content)) return text;
  const parts = content.filter(isObject);
  for (const [index, part] of parts.entries()) {
    if (part.type === 'image_url') checkImage(part.image_url, `${param}.content.[${index}].image_url`);
  }
  const said = parts.flatMap((part) =>
    typeof part.text === 'string' && !notes.test(part.text) ? [part.text] : [],
  );
  if (said.length > 0 || parts.length === 1) return said.join('\n') || text;
  return parts.some(({ type }) => type === 'image_url') ? 'a picture' : 'a file';
}

/** How the bytes of images begin, in hexadecimal. */
const signatures = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
] as const;

function checkImage(image: unknown, param: string): void {
  const url = isObject(image) ? image.url : undefined;
  const given = typeof url === 'string' ? /^data:(image\/[a-z]+);base64,(.+)$/.exec(url) : null;
  // The real service fetches addresses; this one reaches nothing.
  if (given === null) throw invalid('The image cannot be downloaded.', param, 'invalid_image_url');
  const beginning = Buffer.from(given[2]?.slice(0, 32) ?? '', 'base64').toString('hex');
  if (!signatures.some(([type, signature]) => type === given[1] && signature.test(beginning))) {
    throw invalid('The image is of a kind that is not supported.', param, 'invalid_image_format');
  }
}

function listIn(value: unknown, param: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) throw invalid('An empty array is not allowed.', param);
  return value;
}

function readToolCall(item: unknown, param: string): ToolCall {
  const fn = isObject(item) ? item.function : undefined;
  if (!isObject(item) || typeof item.id !== 'string' || !isObject(fn))
    throw invalid('Not a tool call.', param);
  return { id: item.id, name: String(fn.name), arguments: String(fn.arguments) };
}

/** Checks that every call has exactly one result, directly after the message with the call. */
function checkToolResults(messages: Message[]): void {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) {
        throw invalid("A tool's message must follow the call it answers.", `messages.[${index}].role`);
      }
      continue;
    }
    if (open.size > 0) throw unanswered(`messages.[${index}].role`);
    if (message.role === 'assistant') open = new Set(message.toolCalls.map(({ id }) => id));
  }
  if (open.size > 0) throw unanswered('messages');
}

function unanswered(param: string): HttpFailure {
  return invalid('Tool calls must be followed by their results.', param);
}

function readTools(value: unknown): Tool[] {
  const tools = listIn(value, 'tools').map((item, index) => readTool(item, `tools[${index}].function`));
  const names = new Set(tools.map(({ name }) => name));
  if (names.size < tools.length) throw invalid('Names must be unique.', 'tools');
  return tools;
}

function readTool(item: unknown, param: string): Tool {
  const fn = isObject(item) && item.type === 'function' ? item.function : undefined;
  if (!isObject(fn)) throw invalid('Only functions are supported.', param);
  const { name, description } = fn;
  const isName = typeof name === 'string' && /^[\w-]{1,64}$/.test(name);
  if (!isName) throw invalid('A bad name.', `${param}.name`);
  const parameters: JsonObject = isObject(fn.parameters) ? fn.parameters : {};
  if (fn.parameters !== undefined && parameters.type !== 'object') {
    const message = "A function's parameters have to be an object.";
    throw invalid(message, `${param}.parameters`, 'invalid_function_parameters');
  }
  return { name, description: typeof description === 'string' ? description : '', parameters };
}
