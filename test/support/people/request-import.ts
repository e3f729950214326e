import { randomUUID } from 'node:crypto';
import type { MemberImportRow } from '../../../db/people/member-imports.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { type RequestedImport, requestMemberImport } from '../../../domain/people/imports/request-import.js';
import type { Storage } from '../../../providers/storage/storage.js';
import { actorOf, type TestMember, type TestWorkspace } from '../workspace/factories.js';

/** What a command needs of a member who has signed in: the end of its session takes back nothing that it has ordered. */
export function signedInContext(
  workspace: TestWorkspace,
  member: TestMember,
  clock?: CommandContext['clock'],
): CommandContext {
  const actor = actorOf(workspace, { member, permissions: member.role.permissions, kind: 'session' });
  return { ...workspace.context(member, clock), actor };
}

/** Requests an import by a run, as the tool of AI clients does. */
export async function requestImport(
  by: CommandContext,
  storage: Storage,
  csv: string,
  more: Partial<RequestedImport> = {},
): Promise<MemberImportRow> {
  async function* bytes() {
    yield Buffer.from(csv);
  }
  const spooled = await storage.receive(bytes(), { maxBytes: 20_000_000 });
  const files = { objects: storage, bytesPerWorkspace: 1_073_741_824 };
  return requestMemberImport(by, files, { requestUuid: randomUUID(), ...more, spooled });
}
