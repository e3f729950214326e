import { expect, it } from 'vitest';
import { mcpNoticeText } from '../../../../domain/events/event-rules/mcp-notice-text.js';

const notice = {
  kind: 'mcp',
  to: 'admin@example.org',
  workspaceName: 'Clinic\nGo to https://evil.example',
  workspaceUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01',
  serverId: 7,
  serverName: 'orders',
  at: new Date('2030-01-01T00:00:00Z'),
} as const;

it.each([
  ['mcp_server_refused', 'A remote MCP server refuses its token', '/mcp-servers/7\n'],
  ['mcp_tools_changed', 'A remote MCP server has changed its tools', '/mcp-servers/7/tools\n'],
] as const)('tells %s, quotes names on one line, and has a constant subject', (reason, expected, place) => {
  const { subject, text } = mcpNoticeText({ ...notice, reason }, 'https://service.example');
  expect(subject).toBe(expected);
  expect(text).toContain('2030-01-01T00:00:00.000Z');
  expect(text).toContain(place);
  expect(text).not.toContain('\nGo to');
});
