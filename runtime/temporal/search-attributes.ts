import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

/** What operators search runs by. All Keyword; created by the provisioning, set when a run starts. */
export const searchAttributeNames = [
  'WorkspaceUuid',
  'AssignmentId',
  'ChatId',
  'MemberId',
  'CallId',
  'RuleId',
  'EventType',
] as const;

export type SearchAttributeName = (typeof searchAttributeNames)[number];

const keys = Object.fromEntries(
  searchAttributeNames.map((name) => [name, defineSearchAttributeKey(name, 'KEYWORD')]),
) as Record<SearchAttributeName, ReturnType<typeof defineSearchAttributeKey<'KEYWORD'>>>;

/** Search attributes of a run, from ids. */
export function searchAttributes(
  values: Partial<Record<SearchAttributeName, string | number>>,
): SearchAttributePair[] {
  return Object.entries(values).map(([name, value]) => ({
    key: keys[name as SearchAttributeName],
    value: String(value),
  }));
}
