import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `.data/dev.json`: the addresses and keys that a script needs to use the started system. */
export interface DevFile {
  /** Without `/api/v2`. */
  baseUrl: string;
  workspaceUuid: string;
  /** A key of the demo admin with all scopes. */
  adminApiKey: string;
  /** A key of an ordinary member. */
  memberApiKey: string;
  /** A second tenant, to check that it cannot see the data of the first. */
  otherWorkspaceUuid: string;
  otherAdminApiKey: string;
  /** The e-mail address of the owner of the demo workspace, for signing in. */
  adminEmail: string;
  temporalAddress: string;
  /** Null when an external Temporal server is used and TEMPORAL_UI_URL is not set. */
  temporalUi: string | null;
  /** Null when a real carrier is configured. */
  carrierSimulator: string | null;
  /** Null when a real model is configured. */
  modelSimulator: string | null;
  /** Shows the mail that was sent; null when a real mail server is configured. */
  mailSimulator: string | null;
  /** A webhook receiver for development that lists deliveries and can simulate failures; always started. */
  webhookSink: string;
}

export const devFilePath = (dataFolder: string): string => join(dataFolder, 'dev.json');

/** Reads the file of an earlier start. The database has only hashes of the keys, so this is their only copy. */
export function readDevFile(dataFolder: string): DevFile | undefined {
  try {
    return JSON.parse(readFileSync(devFilePath(dataFolder), 'utf8')) as DevFile;
  } catch {
    return undefined;
  }
}

/** Writes to a temporary name, then renames, so that a reader never sees an incomplete file. */
export function writeDevFile(dataFolder: string, content: DevFile): void {
  const file = devFilePath(dataFolder);
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
