/** Views of the list of runs, as docs/operations.md links them. */
export const views = {
  'Work with members': "WorkflowType IN ('runAssignment', 'answerChat', 'deliverMessages')",
  'All but webhooks': "WorkflowType != 'deliverWebhook'",
  'Assignments in progress': "WorkflowType = 'runAssignment' AND ExecutionStatus = 'Running'",
  'Cancelled assignments': "WorkflowType = 'runAssignment' AND ExecutionStatus = 'Canceled'",
  'Webhooks under way': "WorkflowType = 'deliverWebhook' AND ExecutionStatus = 'Running'",
  Faults: "ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')",
} as const;

export type View = keyof typeof views;

/** Opens a view, and saves it in the browser under its name (UI 2.42). */
export function linkOf(view: View, uiUrl = 'http://127.0.0.1:8233'): string {
  return `${uiUrl}/namespaces/default/workflows?query=${encoded(views[view])}&savedQuery=${encoded(view)}`;
}

/** A link in Markdown ends with the first parenthesis. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
