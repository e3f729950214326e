import type { DataTypeRow } from '../../../db/records/data-types.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { FieldDefinition } from '../../../domain/records/field-values.js';
import type { TestSystem } from '../../support/system/system.js';
import { randomTag, type TestWorkspace } from '../../support/workspace/factories.js';

/** What an attack has to work with: a workspace of the attacker's own, with an account of its own behind each member. */
export interface Scene {
  workspace: TestWorkspace;
  /** Simulators, and the queue of runs; its own api and worker serve nobody here. */
  system: TestSystem;
  /** A key of the neighbour's, for attacks that come from its own address. */
  neighbourKey: string;
  /** Runs SQL past the service, for rows that would take minutes to make. */
  asSuperuser(
    statements: (query: (sql: string, values?: unknown[]) => Promise<void>) => Promise<void>,
  ): Promise<void>;
}

/** A request of an attack, made once and sent again and again. */
export interface PreparedRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Below `/api/v2`. */
  path: string;
  headers: Record<string, string>;
  /** Each byte of the body is a character. */
  body?: string;
}

/** What the attacker's process sends. */
export interface Flood {
  /** Sent in turn. */
  requests: readonly PreparedRequest[];
  /** Requests under way at once. */
  concurrency: number;
  /** Between an answer and the next request; none unless told. */
  pauseMs?: number;
  /** Streams that are opened first and read until the end. */
  streams?: readonly PreparedRequest[];
  /** Comes from the neighbour's address instead of one of its own. */
  fromNeighboursAddress?: boolean;
}

/** What else than requests the neighbour waits for. */
export type Service = 'chat' | 'webhooks';

/** One way to stop others that a review found. To add one: a file of its own, and a line in `index.ts`. */
export interface Attack {
  name: string;
  /** Makes what the attack needs. */
  prepare(scene: Scene): Promise<Flood>;
  /** Answers that a request of the attack may get. */
  expected: readonly number[];
  /** What must go on for the neighbour besides its requests. */
  alsoNeeded?: Service;
  /** Ends what it has started besides its flood. */
  finish?(): Promise<void>;
}

/** A GET as a member of the attacker's workspace. */
export function getAs(scene: Scene, apiKey: string, path: string): PreparedRequest {
  return { method: 'GET', path: scene.workspace.path(path), headers: { Authorization: `Bearer ${apiKey}` } };
}

/** A POST or PUT of JSON as a member of the attacker's workspace. `body` is JSON already where it is a text. */
export function sendAs(
  scene: Scene,
  apiKey: string,
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
): PreparedRequest {
  return {
    method,
    path: scene.workspace.path(path),
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** A collection of the attacker's, of a slug that expressions can name. */
export function addOwnType({ workspace }: Scene, fields: FieldDefinition[]): Promise<DataTypeRow> {
  const slug = `t${randomTag().replaceAll('-', '')}`;
  return createDataType(workspace.context(), { name: 'Own', slug, isCollection: true, fields });
}

/** What records are made of that are put past the service. */
interface ManyRecords {
  dataTypeId: number;
  memberId: number;
  assignmentTaskId?: number;
  fieldValues: Record<string, unknown>;
  count: number;
}

/** As many equal records as asked for, in a moment. */
export async function insertMany({ workspace }: Scene, many: ManyRecords): Promise<void> {
  const { dataTypeId, memberId, assignmentTaskId = null, fieldValues, count } = many;
  const { workspaceId } = workspace;
  await workspace.database.inWorkspace(workspaceId, async (tx) => {
    await tx.raw(
      `insert into data_records
         (workspace_id, uuid, data_type_id, member_id, is_single, assignment_task_id, field_values)
       select ?, gen_random_uuid(), ?, ?, false, ?, ?::jsonb from generate_series(1, ?)`,
      [workspaceId, dataTypeId, memberId, assignmentTaskId, JSON.stringify(fieldValues), count],
    );
  });
}
