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

interface AbilityDeclaration {
  summary: string;
  config: TSchema;
}

export const abilities = {
  save_data: {
    summary: "Save values in the member's record.",
    config: SaveDataConfig,
  },
  read_data: { summary: "Read the member's records.", config: ReadDataConfig },
  send_sms: { summary: 'Send the member an SMS.', config: OnlyApproval },
  search_files: {
    summary: 'Search the files that whoever is in the chat may see.',
    config: SearchFilesConfig,
  },
  send_files: {
    summary: 'Send the member files.',
    config: SendFilesConfig,
  },
  suggest_answers: {
    summary: 'Show the member answers to choose from, in a web chat.',
    config: Nothing,
  },
  schedule_follow_up: {
    summary: 'Come back to the member later.',
    config: Nothing,
  },
  handoff: { summary: 'Hand the chat over to a person.', config: Nothing },
  conclude: { summary: 'End the assignment.', config: ConcludeConfig },
  send_email: { summary: 'Send the member an email.', config: SendEmailConfig },
  http_request: { summary: 'Call a web service.', config: HttpRequestConfig },
  mcp_tools: { summary: 'Use tools of remote MCP servers.', config: McpToolsConfig },
  place_call: { summary: 'Call the member.', config: PlaceCallConfig },
  forward_call: { summary: 'Transfer the call.', config: ForwardCallConfig },
  end_call: { summary: 'End the call.', config: Nothing },
} as const satisfies Record<string, AbilityDeclaration>;

export type AbilityType = keyof typeof abilities;
export const abilityTypes = Object.keys(abilities) as AbilityType[];

export function isAbilityType(text: string): text is AbilityType {
  return Object.hasOwn(abilities, text);
}
