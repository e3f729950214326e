import { pinFileIds } from '../../../db/files/file-attachments.js';
import { requireAnotherPerson } from '../../chat-state/another-person.js';
import { type AbilityType, abilities } from '../../kernel/abilities.js';
import type { Actor } from '../../kernel/actor.js';
import type { Scope } from '../../kernel/scopes.js';
import { readerOf } from '../../kernel/who-reads.js';
import { canReadAll, canWriteAll } from '../../records/data-records/record-access.js';
import type { Situation } from '../read-situation.js';
import { type BuiltInTool, isRemote, isRequest, type ToolDefinition, type ToolName } from '../tools/tool.js';
import { savedTypeSlug } from '../tools/tools.js';

/** Of the tools that tasks bring with them, without an ability. */
const ofTasks: Record<Exclude<ToolName, AbilityType>, Scope | 'agent'> = {
  select_task: 'assignments:write',
  complete_task: 'assignments:write',
  prove_identity: 'agent',
  // Colleagues have operations of their own for it.
  opt_out: 'agent',
};

function isOfTask(name: ToolName): name is keyof typeof ofTasks {
  return Object.hasOwn(ofTasks, name);
}

function rightFor(name: ToolName): Scope | 'agent' {
  return isOfTask(name) ? ofTasks[name] : abilities[name].colleague;
}

/** Whether colleagues may use a tool in the agent's place at all. */
export function isForColleagues(tool: ToolDefinition): tool is BuiltInTool {
  return !isRequest(tool) && !isRemote(tool) && rightFor(tool.name) !== 'agent';
}

/**
 * Has a colleague do by a tool only what it may do by itself: otherwise the agent would lend its rights to whoever may speak for it.
 * @param input empty where it does not fit the tool @throws Forbidden naming the permission
 */
export async function requireOwnRight(
  actor: Actor,
  situation: Situation,
  { name, requiresApproval }: BuiltInTool,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (requiresApproval === true) requireAnotherPerson(actor, situation.chat);
  const right = rightFor(name);
  if (right === 'agent' || (await isCovered(actor, situation, name, input))) return;
  actor.require(right);
}

/** Whether less than the permission of the ability is enough for this call, as it is in the rest of the API. */
async function isCovered(
  actor: Actor,
  situation: Situation,
  name: ToolName,
  input: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  switch (name) {
    case 'read_data':
      return canReadAll(actor, { slug: String(input.dataType) });
    case 'save_data':
      return canWriteAll(actor, { slug: savedTypeSlug(situation) ?? '' });
    case 'search_files':
      // A colleague finds no more by it than every member may see.
      return readerOf(actor).readsWorkspace && actor.hasScope('files:read');
    case 'send_files': {
      const ids = [...new Set((input.files ?? []) as number[])];
      const readable = await pinFileIds(situation.tx, ids, readerOf(actor));
      return readable.length === ids.length && actor.hasScope('files:read');
    }
    default:
      return false;
  }
}
