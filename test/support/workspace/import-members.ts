import type { TestApi } from '../api/api.js';
import type { TestMember, TestWorkspace } from './factories.js';

/** The last line of an import. */
export interface ImportTold {
  success: number;
  failed: number;
  total: number;
  created: number;
  updated: number;
  unchanged: number;
  errors: string[];
  failedRows: number[];
  failedRowsFile?: string;
  createdMembers: number[];
  updatedMembers: number[];
}

/** What an import is asked with: the file's text, and its fields. */
export function importForm(csv: string, fields: Record<string, string | number | boolean> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('file', new Blob([csv], { type: 'text/csv' }), 'members.csv');
  return form;
}

/** Imports a file as a member of the workspace; the lines of the answer, and the last of them. */
export async function importFile(
  api: Pick<TestApi, 'request'>,
  workspace: TestWorkspace,
  csv: string,
  options: { fields?: Record<string, string | number | boolean>; member?: Pick<TestMember, 'apiKey'> } = {},
) {
  const answer = await api.request('POST', workspace.path('/members/import'), {
    apiKey: (options.member ?? workspace.admin).apiKey,
    multipart: importForm(csv, options.fields),
  });
  const isStream = answer.headers.get('Content-Type') === 'application/x-ndjson';
  const lines = isStream ? linesOf(answer.body) : [];
  return { ...answer, lines, told: lines.at(-1) as unknown as ImportTold };
}

export function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
