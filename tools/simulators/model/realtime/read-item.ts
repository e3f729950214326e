import { isObject } from '../../support/read-json.js';
import type { Conversation, Item } from './conversation.js';
import { Refused } from './session-settings.js';

/** The item that a client wants to create. Refuses what the real API refuses. */
export function readItem(given: unknown, conversation: Conversation): Item {
  if (!isObject(given)) throw new Refused('missing_required_parameter', 'Missing item.', 'item');
  const id = typeof given.id === 'string' ? given.id : conversation.nextId();
  if (conversation.find(id) !== undefined) {
    throw new Refused('item_create_duplicate_id', 'The id is taken.', 'item.id');
  }
  if (given.type === 'function_call_output') {
    const { call_id: callId, output } = given;
    if (typeof output !== 'string') throw new Refused('invalid_type', 'Not a text.', 'item.output');
    if (!conversation.hasCall(callId)) {
      throw new Refused(
        'invalid_tool_call_id',
        `Tool call ID '${String(callId)}' not found.`,
        'item.call_id',
      );
    }
    if (conversation.hasOutput(callId)) {
      throw new Refused('duplicate_tool_output', 'The call has an output.', 'item.call_id');
    }
    return { id, type: given.type, callId: String(callId), output };
  }
  const { role } = given;
  if (given.type !== 'message' || (role !== 'user' && role !== 'system' && role !== 'assistant')) {
    throw new Refused('invalid_value', 'Not an item that can be created.', 'item.type');
  }
  const wanted = role === 'assistant' ? 'output_text' : 'input_text';
  const parts = Array.isArray(given.content) ? given.content.filter(isObject) : [];
  const wrong = parts.findIndex((part) => part.type !== wanted || typeof part.text !== 'string');
  if (parts.length === 0 || wrong !== -1) {
    throw new Refused('invalid_value', `Not a content of a ${role}.`, `item.content[${wrong}].type`);
  }
  return { id, type: 'message', role, text: parts.map(({ text }) => text).join(' '), soundMs: 0 };
}
