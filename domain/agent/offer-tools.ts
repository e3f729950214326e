import { remoteTool } from './remote-tools/remote-tool.js';
import { requestTool } from './requests/request-tool.js';
import type { ToolSituation } from './situation.js';
import { configOf } from './tools/config-of.js';
import type { OfferedTool, ToolName } from './tools/tool.js';
import { tools } from './tools/tools.js';

/**
 * The tools of an agent's turn: those of the service, then requests to web services, then tools of remote servers. Names are unique:
 * a tool does not replace one before it.
 */
export function offerTools(situation: ToolSituation): OfferedTool[] {
  const names = Object.keys(tools) as ToolName[];
  const { requests = [] } = configOf(situation, 'http_request') ?? {};
  const all = [
    ...names.map((name) => offerTool(name, situation)).filter((tool) => tool !== undefined),
    ...requests.map(requestTool),
    ...situation.remoteTools.map(remoteTool),
  ];
  const first = new Map(all.toReversed().map((tool) => [tool.name, tool]));
  return all.filter((tool) => first.get(tool.name) === tool).map(asOffered);
}

function offerTool(name: ToolName, situation: ToolSituation): OfferedTool | undefined {
  const { offer, ...tool } = tools[name];
  const told = offer(situation);
  const declared = situation.abilities.find(({ ability }) => ability.abilityType === name);
  const requiresApproval = declared?.ability.config.requiresApproval === true;
  return told && { name, ...tool, ...told, requiresApproval };
}

function asOffered(tool: OfferedTool): OfferedTool {
  if (!tool.requiresApproval) return tool;
  const description = `${tool.description}\nA colleague has to approve the call before it is run.`;
  return { ...tool, description };
}
