import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelMessage, ModelTool } from './chat-model.js';

/** Converts a message to the format of chat completions. */
export function toOpenAiMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant') return message;
  const toolCalls = message.toolCalls ?? [];
  if (toolCalls.length === 0) return { role: 'assistant', content: message.content };
  return {
    role: 'assistant',
    content: message.content,
    tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  };
}

/** Converts a tool to the format of chat completions. */
export function toOpenAiTool(tool: ModelTool): ChatCompletionFunctionTool {
  const { name, description, parameters } = tool;
  return { type: 'function', function: { name, description, parameters } };
}
