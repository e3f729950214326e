import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { runToolCall } from '../../../activities/agent/run-tool-call.js';
import { createMcpServer } from '../../../domain/definitions/mcp-servers/mcp-servers.js';
import { allowMcpTool, listMcpTools } from '../../../domain/definitions/mcp-servers/mcp-tools.js';
import { refreshMcpServer } from '../../../domain/definitions/mcp-servers/refresh-mcp-server.js';
import { simulatedTools } from '../../../tools/simulators/mcp-server/tools.js';
import { call, Turn, toolResult } from '../../domain/agent/take-round.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { testRequests } from '../../support/lib/requests.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

it('calls a remote tool once, although the process dies before its answer is recorded', async () => {
  const admin = { ...suite.workspace.context(suite.workspace.admin), encryption: testEncryption };
  const address = { url: 'https://mcp.example.com/mcp' };
  const { id: serverId } = await createMcpServer(admin, { name: 'orders', address });
  const list = async () => ({ kind: 'listed' as const, tools: [...simulatedTools], isCut: false });
  await refreshMcpServer({ ...admin, tools: { list } }, serverId);
  for (const { tool } of await listMcpTools(admin, serverId)) {
    const place = { serverId, toolId: tool.id };
    await allowMcpTool(admin, place, { digest: tool.digest, approval: 'none' });
  }
  const staged = await stageAssignment(suite.workspace, {
    name: 'Talk',
    taskType: 'conversation',
    prompt: 'Talk.',
    abilities: [
      { abilityType: 'mcp_tools', config: { tools: [{ server: 'orders', tool: 'cancel_order' }] } },
      { abilityType: 'handoff' },
    ],
  });
  const input = { order: 'A-17', reason: 'Too late.' };
  const round = await new Turn(staged).take(call(['orders__cancel_order', input]));
  const [toolCallId = ''] = round.kind === 'tools' ? round.toolCallIds : [];
  const called: unknown[] = [];
  const requests = testRequests();
  const remoteTools = {
    list,
    call: async (one: { tool: string; arguments: object }) => {
      called.push([one.tool, one.arguments]);
      throw new Error('the process dies');
    },
    close: () => undefined,
  };
  const dependencies = { ...staged.context, requests: { ...requests, remoteTools } };
  const { workspaceId, chatId } = staged;
  const attempt = () =>
    new MockActivityEnvironment().run(() => runToolCall(dependencies, { workspaceId, chatId, toolCallId }));

  await expect(attempt()).rejects.toThrow('the process dies');
  expect(await toolResult(staged, toolCallId)).toBeUndefined();
  await attempt();

  expect(called).toEqual([['cancel_order', input]]);
  expect(await toolResult(staged, toolCallId)).toMatchObject({ error: 'request_outcome_unknown' });
});
