import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import type { TestWorkspace } from '../workspace/factories.js';

/** An assistant that is not the default one. */
export async function addAssistant(
  workspace: TestWorkspace,
  name = 'Desk',
): Promise<{ id: number; memberId: number }> {
  return createAssistant(workspace.context(), { name, instructions: 'Be brief.' });
}
