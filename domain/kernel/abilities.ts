import type { TSchema } from 'typebox';
import {
  ConcludeConfig,
  ForwardCallConfig,
  HttpRequestConfig,
  McpToolsConfig,
  Nothing,
  OnlyApproval,
  PlaceCallConfig,
  ReadDataConfig,
  SaveDataConfig,
  SearchFilesConfig,
  SendEmailConfig,
  SendFilesConfig,
} from './ability-configs.js';
import type { Scope } from './scopes.js';

interface AbilityDeclaration {
  summary: string;
  config: TSchema;
  /**
   * What a colleague needs who uses the ability in the agent's place, beside the right to speak as the assistant: the permission with which
   * the API lets it do the same (docs/decisions/0224-rights-of-colleagues-who-use-tools.md). `agent`: the agent alone uses it.
   */
  colleague: Scope | 'agent';
}

export const abilities = {
  save_data: {
    summary: "Save values in the member's record.",
    config: SaveDataConfig,
    colleague: 'records:write',
  },
  read_data: { summary: "Read the member's records.", config: ReadDataConfig, colleague: 'data:read' },
  send_sms: { summary: 'Send the member an SMS.', config: OnlyApproval, colleague: 'chats:write' },
  search_files: {
    summary: 'Search the files that whoever is in the chat may see.',
    config: SearchFilesConfig,
    colleague: 'files:read',
  },
  send_files: {
    summary: 'Send the member files.',
    config: SendFilesConfig,
    colleague: 'files:read',
  },
  suggest_answers: {
    summary: 'Show the member answers to choose from, in a web chat.',
    config: Nothing,
    colleague: 'agent',
  },
  schedule_follow_up: {
    summary: 'Come back to the member later.',
    config: Nothing,
    colleague: 'chats:write',
  },
  handoff: { summary: 'Hand the chat over to a person.', config: Nothing, colleague: 'chats:write' },
  conclude: { summary: 'End the assignment.', config: ConcludeConfig, colleague: 'assignments:write' },
  send_email: { summary: 'Send the member an email.', config: SendEmailConfig, colleague: 'chats:write' },
  http_request: { summary: 'Call a web service.', config: HttpRequestConfig, colleague: 'agent' },
  mcp_tools: { summary: 'Use tools of remote MCP servers.', config: McpToolsConfig, colleague: 'agent' },
  place_call: { summary: 'Call the member.', config: PlaceCallConfig, colleague: 'chats:write' },
  forward_call: { summary: 'Transfer the call.', config: ForwardCallConfig, colleague: 'agent' },
  end_call: { summary: 'End the call.', config: Nothing, colleague: 'chats:write' },
} as const satisfies Record<string, AbilityDeclaration>;

export type AbilityType = keyof typeof abilities;
export const abilityTypes = Object.keys(abilities) as AbilityType[];

export function isAbilityType(text: string): text is AbilityType {
  return Object.hasOwn(abilities, text);
}
