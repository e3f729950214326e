import type pg from 'pg';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { FieldDefinition } from '../../../domain/records/field-values.js';
import type { TestSystem } from '../../support/system/system.js';
import { randomTag, type TestMember, type TestWorkspace } from '../../support/workspace/factories.js';

/**
 * What an attack has to work with: a workspace of the attacker's own, with an account of its own behind each member.
 */
export interface Scene {
  workspace: TestWorkspace;
  /** Simulators, and the queue of runs; its own api and worker serve nobody here. */
  system: TestSystem;
  /** A key of the neighbour's, for attacks that come from its own address. */
  neighbourKey: string;
  /** Runs SQL past the service, for rows that would take minutes to make. */
  asSuperuser(work: (client: pg.Client) => Promise<unknown>): Promise<void>;
}

export interface PreparedRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Below `/api/v2`. */
  path: string;
  headers: Record<string, string>;
  /** Each byte of the body is a character. */
  body?: string;
}

export interface Flood {
  requests: readonly PreparedRequest[];
  concurrency: number;
  /** Between an answer and the next request; none unless told. */
  pauseMs?: number;
  streams?: readonly PreparedRequest[];
  fromNeighboursAddress?: boolean;
}

export type Service = 'chat' | 'webhooks';

/** One way to stop others that a review found. To add one: a file of its own, and a line in `index.ts`. */
export interface Attack {
  name: string;
  prepare(scene: Scene): Promise<Flood>;
  expected: readonly number[];
  alsoNeeded?: Service;
  finish?(): Promise<void>;
}

export function getAs(scene: Scene, apiKey: string, path: string): PreparedRequest {
  return { method: 'GET', path: scene.workspace.path(path), headers: { Authorization: `Bearer ${apiKey}` } };
}

/** A POST of JSON as a member of the attacker's workspace. `body` is JSON already where it is a text. */
export function postAs(scene: Scene, apiKey: string, path: string, body: unknown): PreparedRequest {
  return {
    method: 'POST',
    path: scene.workspace.path(path),
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Messages into new web chats of a workflow, one each. */
export async function writeIntoChats(scene: Scene, member: TestMember, workflowId: number, count: number) {
  const chat = { channel: 'web-chat', memberId: member.memberId, workflowId } as const;
  const requests: PreparedRequest[] = [];
  for (let chats = 0; chats < count; chats += 1) {
    const { id } = await createChat(scene.workspace.context(), chat);
    requests.push(postAs(scene, member.apiKey, `/chats/${id}/messages`, { content: 'And now?' }));
  }
  return requests;
}

/** A collection of the attacker's, of a slug that expressions can name. */
export function addOwnType({ workspace }: Scene, fields: FieldDefinition[]): Promise<DataTypeRow> {
  const slug = `t${randomTag().replaceAll('-', '')}`;
  return createDataType(workspace.context(), { name: 'Own', slug, isCollection: true, fields });
}

interface ManyRecords {
  dataTypeId: number;
  memberId: number;
  assignmentTaskId?: number;
  fieldValues: Record<string, unknown>;
  count: number;
}

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
