import type { ImportProgress, ImportResult } from '../../../domain/records/csv/import-tally.js';
import type { TestApi } from '../api/api.js';
import type { TestMember, TestWorkspace } from '../workspace/factories.js';

type Line = ImportProgress | ImportResult;

/** What an import answered: the lines where it began, the problem where it did not. */
export interface ImportAnswer {
  status: number;
  lines: Line[];
  /** The last line. */
  result: Partial<ImportResult>;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
  problem: any;
}

/** A form with a CSV file. */
export function csvForm(
  content: string | Uint8Array,
  fields: Record<string, string | number> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('file', new Blob([content], { type: 'text/csv' }), 'records.csv');
  return form;
}

/** Imports a CSV file as a member: `path` is below the workspace's. */
export function importAs(
  api: Pick<TestApi, 'request'>,
  workspace: TestWorkspace,
  { apiKey }: Pick<TestMember, 'apiKey'>,
) {
  return async (
    path: string,
    content: string | Uint8Array,
    fields: Record<string, string | number> = {},
  ): Promise<ImportAnswer> => {
    const { status, body } = await api.request('POST', workspace.path(path), {
      apiKey,
      multipart: csvForm(content, fields),
    });
    if (typeof body !== 'string') return { status, lines: [], result: {}, problem: body };
    const lines = body
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Line => JSON.parse(line));
    const last = lines.at(-1);
    return { status, lines, result: last?.type === 'complete' ? last : {}, problem: undefined };
  };
}
