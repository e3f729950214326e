import { quoted } from '../../channels/outreach/quoted.js';
import type { McpNotice } from './rule-notice.js';

/** Composes the mail about a remote MCP server. The only tenant-controlled text in it is the quoted names. */
export function mcpNoticeText(notice: McpNotice, publicUrl: string): { subject: string; text: string } {
  const place = `${publicUrl}/api/v2/w/${notice.workspaceUuid}/mcp-servers/${notice.serverId}`;
  const { what, so, remedy, subject } = texts[notice.reason];
  const text = [
    `A remote MCP server of a workspace that you administer ${what}, at ${notice.at.toISOString()}.`,
    '',
    `Server:     ${notice.serverId}, which the workspace calls ${quoted(notice.serverName)}`,
    `Workspace:  ${notice.workspaceUuid}, which calls itself ${quoted(notice.workspaceName)}`,
    '',
    ...so,
    '',
    remedy(place),
    '',
  ].join('\n');
  return { subject, text };
}

const texts = {
  mcp_server_refused: {
    subject: 'A remote MCP server refuses its token',
    what: 'has refused its token, or asks for a payment',
    so: [
      'Agents call none of its tools, and say so; one call in a quarter of an hour tries whether the token is taken again.',
      'You get no further mail about it until it has been taken again, or is a new one.',
    ],
    remedy: (place: string) => `To give it a new token:  PUT ${place}`,
  },
  mcp_tools_changed: {
    subject: 'A remote MCP server has changed its tools',
    what: 'has changed or removed a tool that agents may use',
    so: ['Agents do not use the tool as it is now. Look at what has changed before you allow it again.'],
    remedy: (place: string) => `To look at its tools:  GET ${place}/tools`,
  },
} as const;
