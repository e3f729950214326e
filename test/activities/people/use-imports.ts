import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { importActivities } from '../../../activities/people/import-members.js';
import type { Database } from '../../../db/database.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { getMemberImport } from '../../../domain/people/imports/follow-import.js';
import type { RequestedImport } from '../../../domain/people/imports/request-import.js';
import type { Storage } from '../../../providers/storage/storage.js';
import type { ImportStep } from '../../../workflows/contracts/steps.js';
import { useConnection } from '../../support/db/use-database.js';
import { type DyingConnections, dyingConnections } from '../../support/faults/dying-connections.js';
import { later } from '../../support/lib/later.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { requestImport, signedInContext } from '../../support/people/request-import.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import type { TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

export interface Running {
  db?: Database;
  through?: Pick<Storage, 'get' | 'receive'>;
  sliceMs?: number;
}

/** A workspace whose imports a test runs attempt by attempt, with connections that it can lose. */
export function useImports() {
  const stage = useWorkspace();
  const query = useConnection(() => stage.database.superuserUrl);
  /** The rows of a statement past the service. */
  const asSuperuser = async <Row extends object = object>(text: string) => (await query<Row>(text)).rows;
  const { storage, remove } = scratchStorage();
  afterAll(remove);
  let clock = new MovedClock();
  let connections: DyingConnections;
  beforeEach(async () => {
    clock = new MovedClock();
    connections = dyingConnections();
    await asSuperuser(`delete from member_imports`);
  });
  afterEach(() => connections.restore());
  const place = () => ({
    workspaceId: stage.workspace.workspaceId,
    workspaceUuid: stage.workspace.workspaceUuid,
  });
  const permissions = ['members:write', 'members:read', 'records:write'];
  const contextOf = (member: TestMember = stage.workspace.admin) =>
    signedInContext(stage.workspace, member, clock);
  const request = (
    csv: string,
    { by = contextOf(), ...more }: Partial<RequestedImport> & { by?: CommandContext } = {},
  ) => requestImport(by, storage, csv, more);
  /** One attempt at the next rows: unless told, at one batch. */
  function attempt(
    importId: number,
    { db = stage.database.database, through = storage, sliceMs = 0 }: Running = {},
  ) {
    const { importMemberRows } = importActivities({ db, clock, storage: through as Storage }, { sliceMs });
    return new MockActivityEnvironment().run(importMemberRows, {
      ...place(),
      importId,
    }) as Promise<ImportStep>;
  }
  /** Attempts until the import has ended, as its run does. */
  async function finish(importId: number, running: Running = {}): Promise<ImportStep> {
    for (;;) {
      const step = await attempt(importId, { sliceMs: 60_000, ...running });
      if (step.kind === 'ended') return step;
    }
  }
  const find = (uuid: string, by = contextOf()) => getMemberImport(by, uuid);
  const csvOf = (tag: string, count: number) =>
    ['name,external_id', ...Array.from({ length: count }, (_, at) => `Row ${at},${tag}-${at}`)].join('\n');
  /** The external ids of the people whose ids begin so, and whether any is there twice. */
  async function landed(tag: string): Promise<number> {
    const rows = await asSuperuser<{ external_id: string }>(
      `select external_id from members where external_id like '${tag}-%' and workspace_id = ${place().workspaceId}`,
    );
    expect(new Set(rows.map((row) => row.external_id)).size).toBe(rows.length);
    return rows.length;
  }
  async function objectsOf(importUuid: string): Promise<string[]> {
    const rows = await asSuperuser<{ state: string }>(
      `select o.state from member_imports i join stored_objects o on o.id = i.object_id where i.uuid = '${importUuid}'`,
    );
    return rows.map(({ state }) => state);
  }
  return {
    stage,
    asSuperuser,
    storage,
    clock: later(() => clock),
    connections: later(() => connections),
    place,
    permissions,
    contextOf,
    request,
    attempt,
    finish,
    find,
    csvOf,
    landed,
    objectsOf,
  };
}
