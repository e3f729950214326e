import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

/**
 * The search attributes of runs, for operators. All are Keyword; provisioning creates them, and the start of a run sets
 * them.
 */
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

/** Builds the search attributes of a run from ids. */
export function searchAttributes(
  values: Partial<Record<SearchAttributeName, string | number>>,
): SearchAttributePair[] {
  return Object.entries(values).map(([name, value]) => ({
    key: keys[name as SearchAttributeName],
    value: String(value),
  }));
}
