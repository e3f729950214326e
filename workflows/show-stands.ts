import { defineSearchAttributeKey } from '@temporalio/common';
import { patched, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { standsAttribute } from './contracts/runs.js';

const stands = defineSearchAttributeKey(standsAttribute, 'KEYWORD');

/**
 * Shows in the list of runs why this one stands; undefined: it goes on. Each change is a billable Action, so what is shown
 * already is not shown again.
 */
export function showStands(reason: string | undefined): void {
  // An attribute that was emptied is handed on to a continued run as null.
  const shown = workflowInfo().typedSearchAttributes.get(stands) ?? undefined;
  if (shown === reason || !patched('shows-why-it-stands')) return;
  upsertSearchAttributes([{ key: stands, value: reason ?? null }]);
}
