/** What the address of the list says. */
export interface WorkflowsSearch {
  search?: string;
}

export const readWorkflowsSearch = ({ search }: Record<string, unknown>): WorkflowsSearch => ({
  search: typeof search === 'string' && search !== '' ? search : undefined,
});

export const views = ['play', 'problems', 'changes'] as const;
type View = (typeof views)[number];

/** What the address of the editor says: the revision that is shown, the task that is open, and what stands beside it. */
export interface EditorSearch {
  revision?: number;
  task?: string;
  beside?: View;
}

export function readEditorSearch({ revision, task, beside }: Record<string, unknown>): EditorSearch {
  return {
    revision: typeof revision === 'number' && Number.isSafeInteger(revision) ? revision : undefined,
    task: typeof task === 'string' && task !== '' ? task : undefined,
    beside: views.find((one) => one === beside),
  };
}
