import { isObject, type JsonObject } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';
import type { CompletionRequest, Message, Tool, ToolCall } from './protocol.js';

/**
 * Reads and validates a chat completion request. It is as strict as the real service about mistakes that would
 * otherwise show only in production: empty tools, results without calls, calls without results.
 *
 * @throws HttpFailure 400 with an error in the service's form
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
export function invalid(message: string, param: string | null, code: string | null = null): HttpFailure {
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
      return { role: 'user', text };
    case 'assistant': {
      const toolCalls = readToolCalls(value.tool_calls, `${param}.tool_calls`);
      if (value.content == null && toolCalls.length === 0)
        throw invalid('Content is required.', `${param}.content`);
      return { role: 'assistant', text, toolCalls };
    }
    case 'tool':
      if (typeof value.tool_call_id !== 'string')
        throw invalid('An id is required.', `${param}.tool_call_id`);
      return { role: 'tool', toolCallId: value.tool_call_id, text };
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

function readToolCalls(value: unknown, param: string): ToolCall[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) throw invalid('An empty array is not allowed.', param);
  return value.map((item: unknown) => {
    const fn = isObject(item) ? item.function : undefined;
    if (!isObject(item) || typeof item.id !== 'string' || !isObject(fn))
      throw invalid('Not a tool call.', param);
    return { id: item.id, name: String(fn.name), arguments: String(fn.arguments) };
  });
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
    if (open.size > 0)
      throw invalid('Tool calls must be followed by their results.', `messages.[${index}].role`);
    if (message.role === 'assistant') open = new Set(message.toolCalls.map(({ id }) => id));
  }
  if (open.size > 0) throw invalid('Tool calls must be followed by their results.', 'messages');
}

function readTools(value: unknown): Tool[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) throw invalid('An empty array is not allowed.', 'tools');
  const tools = value.map((item: unknown, index) => readTool(item, `tools[${index}].function`));
  if (new Set(tools.map(({ name }) => name)).size < tools.length)
    throw invalid('Names must be unique.', 'tools');
  return tools;
}

function readTool(item: unknown, param: string): Tool {
  const fn = isObject(item) && item.type === 'function' ? item.function : undefined;
  if (!isObject(fn)) throw invalid('Only functions are supported.', param);
  if (typeof fn.name !== 'string' || !/^[\w-]{1,64}$/.test(fn.name))
    throw invalid('A bad name.', `${param}.name`);
  const parameters: JsonObject = isObject(fn.parameters) ? fn.parameters : {};
  if (fn.parameters !== undefined && parameters.type !== 'object') {
    throw invalid(
      "A function's parameters have to be an object.",
      `${param}.parameters`,
      'invalid_function_parameters',
    );
  }
  const description = typeof fn.description === 'string' ? fn.description : '';
  return { name: fn.name, description, parameters };
}
