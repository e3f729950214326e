import type { TestApi } from '../api/api.js';
import type { TestMember, TestWorkspace } from '../workspace/factories.js';

export interface SentFile {
  content?: string | Uint8Array<ArrayBuffer>;
  filename?: string;
  fields?: Record<string, string>;
  /** The admin unless told. */
  by?: Pick<TestMember, 'apiKey'>;
  /** Below the workspace's path. */
  path?: string;
  headers?: Record<string, string>;
}

export function formWith({
  content = 'Drink enough water.',
  filename = 'leaflet.txt',
  fields = {},
}: SentFile): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([content]), filename);
  return form;
}

/** Uploads a file through the API. */
export function sendFile(api: Pick<TestApi, 'request'>, workspace: TestWorkspace, sent: SentFile = {}) {
  const { by = workspace.admin, path = '/files', headers = {} } = sent;
  const { apiKey } = by;
  return api.request('POST', workspace.path(path), { apiKey, multipart: formWith(sent), headers });
}
