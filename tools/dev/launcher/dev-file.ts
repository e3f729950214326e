import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a script needs to talk to the started system: `.data/dev.json`. */
export interface DevFile {
  /** Without `/api/v2`. */
  baseUrl: string;
  workspaceUuid: string;
  /** All scopes. */
  adminApiKey: string;
  /** A plain member's. */
  memberApiKey: string;
  /** A second tenant, to see that the first is closed to it. */
  otherWorkspaceUuid: string;
  otherAdminApiKey: string;
  /** Who can sign in: the demo workspace's owner. */
  adminEmail: string;
  temporalAddress: string;
  /** Null when it is not known where operators read runs. */
  temporalUi: string | null;
  /** Null when a real carrier is configured. */
  carrierSimulator: string | null;
  /** Null when a real model is configured. */
  modelSimulator: string | null;
  /** Where mail that was sent can be read; null when a real mail server is configured. */
  mailSimulator: string | null;
  /** A receiver of webhooks that lists what it got and can be told to fail: for development, whatever is configured. */
  webhookSink: string;
}

export const devFilePath = (dataFolder: string): string => join(dataFolder, 'dev.json');

/** The file of an earlier start: keys are hashed in the database, so this is the only place that has them. */
export function readDevFile(dataFolder: string): DevFile | undefined {
  try {
    return JSON.parse(readFileSync(devFilePath(dataFolder), 'utf8')) as DevFile;
  } catch {
    return undefined;
  }
}

/** Written beside and renamed: a reader never sees half a file. */
export function writeDevFile(dataFolder: string, content: DevFile): void {
  const file = devFilePath(dataFolder);
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
