import { randomBytes } from 'node:crypto';
import { demo } from '../../../api/http/demo.js';
import { visitReminder } from '../../../api/resources/definitions/workflow-revisions/example.js';
import { createPhoneNumber } from '../../../domain/channels/phone-numbers/create-phone-number.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createMcpServer } from '../../../domain/definitions/mcp-servers/mcp-servers.js';
import { listMcpTools } from '../../../domain/definitions/mcp-servers/mcp-tools.js';
import { refreshMcpServer } from '../../../domain/definitions/mcp-servers/refresh-mcp-server.js';
import { createSecret } from '../../../domain/definitions/secrets/secrets.js';
import { createWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/definitions/workflow-revisions/publish-revision.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { eraseMember } from '../../../domain/person-data/erase-member.js';
import { requestExport } from '../../../domain/person-data/exports/request-export.js';
import { simulatedTools } from '../../simulators/mcp-server/tools.js';
import type { RulesContext } from './example-rules.js';
import { expectId } from './expect-id.js';

/** The workflow by which it is known whether the examples are there. */
export const reminderName = 'Visit reminder';

/** A line that can be given back, and two numbers of the pool for superusers. They are in no carrier. */
export async function buildNumbers(context: CommandContext): Promise<void> {
  const { db, actor, clock } = context;
  const add = (number: string, workspaceId: number | null) =>
    db.identity.phoneNumberPool.add({ number, workspaceId, source: 'superuser', createdAt: clock.now() });
  await add('+15550100104', actor.workspaceId);
  const places = { '+15550100105': demo.poolNumberId, '+15550100106': demo.poolNumberToDelete };
  for (const [number, expected] of Object.entries(places)) {
    const added = await add(number, null);
    if (added !== undefined) expectId('number of the pool', added, expected);
  }
  const line = await createPhoneNumber(context, { number: '+15550100104', name: 'Spare line' });
  expectId('phone number to delete', line, demo.phoneNumberToDelete);
}

export async function buildWorkflows(context: CommandContext): Promise<void> {
  const night = await createAssistant(context, {
    name: 'Night assistant',
    instructions: 'You answer questions about opening hours.',
  });
  expectId('assistant', night, demo.assistantId);
  expectId('member of the assistant', { id: night.memberId }, demo.assistantMemberId);
  const trial = await createAssistant(context, { name: 'Trial assistant', instructions: 'You try things.' });
  expectId('assistant to delete', trial, demo.assistantToDelete);
  const pat = await createMember(context, { name: 'Pat Sample' });
  expectId('member to erase', pat, demo.memberToErase);
  const sam = await createMember(context, { name: 'Sam Sample' });
  expectId('erased member', sam, demo.erasedMember);
  await eraseMember(context, sam.id, { confirm: String(sam.id) });
  await requestExport(context, demo.memberId, { keptDays: 7 });

  const reminder = await createWorkflowDefinition(context, {
    name: reminderName,
    description: 'Asks whether the member comes.',
    assistantMemberId: night.memberId,
  });
  expectId('workflow', reminder, demo.workflowId);
  const old = await createWorkflowDefinition(context, { name: 'Old reminder' });
  expectId('workflow to archive', old, demo.workflowToArchive);

  const draft = (name: string) => createRevision(context, reminder.id, { name, rootTask: visitReminder });
  const first = await draft('First');
  expectId('revision', first, demo.revisionId);
  await publishRevision(context, reminder.id, first.id, { activate: true });
  expectId('draft', await draft('Draft'), demo.draftId);
  expectId('draft to delete', await draft('Abandoned'), demo.draftToDelete);
  expectId('draft to publish', await draft('Next'), demo.draftToPublish);
}

export async function buildSecrets(context: RulesContext): Promise<void> {
  const hosts = ['api.example.com'];
  const token = () => randomBytes(16).toString('hex');
  const directory = await createSecret(context, { name: 'directory_token', value: token(), hosts });
  expectId('secret', directory, demo.secretId);
  const former = await createSecret(context, { name: 'former_token', value: token(), hosts });
  expectId('secret to delete', former, demo.secretToDelete);
}

/** What the server says of its tools is known, so that it need not be asked. */
export async function buildMcpServers(context: RulesContext, url: string): Promise<void> {
  const orders = await createMcpServer(context, { name: 'orders', address: { url } });
  expectId('MCP server', orders, demo.mcpServerId);
  const former = await createMcpServer(context, { name: 'former', address: { url } });
  expectId('MCP server to delete', former, demo.mcpServerToDelete);
  const list = async () => ({ kind: 'listed' as const, tools: [...simulatedTools], isCut: false });
  await refreshMcpServer({ ...context, tools: { list } }, orders.id);
  const tools = (await listMcpTools(context, orders.id)).map(({ tool }) => tool);
  const named = (name: string) => tools.find((tool) => tool.name === name) ?? { id: 0 };
  expectId('MCP tool', named('find_order'), demo.mcpToolId);
  expectId('MCP tool to take back', named('cancel_order'), demo.mcpToolToDisallow);
}
