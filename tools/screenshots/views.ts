/** Views of the list of runs, as docs/alarms.md links them. */
export const views = {
  'Needs a person': "Stands IS NOT NULL AND ExecutionStatus = 'Running'",
  'Work with members': "WorkflowType IN ('runAssignment', 'answerChat', 'deliverMessages', 'runVoiceCall')",
  Calls: "WorkflowType = 'runVoiceCall'",
  'All but webhooks': "WorkflowType != 'deliverWebhook'",
  'Assignments in progress': "WorkflowType = 'runAssignment' AND ExecutionStatus = 'Running'",
  'Cancelled assignments': "WorkflowType = 'runAssignment' AND ExecutionStatus = 'Canceled'",
  'Webhooks under way': "WorkflowType = 'deliverWebhook' AND ExecutionStatus = 'Running'",
  Faults: "ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')",
} as const;

export type View = keyof typeof views;

/** Opens the list of runs with the query of a view (UI 2.42). */
export function addressOf(view: View, uiUrl: string): string {
  return `${uiUrl}/namespaces/default/workflows?query=${encoded(views[view])}`;
}

/** Opens a view, and saves it in the browser under its name. */
export function linkOf(view: View, uiUrl = 'http://127.0.0.1:8233'): string {
  return `${addressOf(view, uiUrl)}&savedQuery=${encoded(view)}`;
}

/** A link in Markdown ends with the first parenthesis. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
