import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import Type, { type Static, type TSchema } from 'typebox';
import { parse } from 'yaml';
import { OneOf } from '../../api/http/schemas.js';
import { compileAnswer } from '../../api/http/validation/validation.js';
import { ImportWorkflowRequest } from '../../api/resources/definitions/workflow-revisions/schemas.js';
import type { DataTypeValues } from '../../db/records/data-types.js';
import { checkRevision } from '../../domain/definitions/revision-rules/check-revision.js';
import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';
import { describeErrors, type FieldError } from '../../domain/lib/errors.js';
import { entryKinds } from '../../domain/simulation/entries.js';
import { SimulationInput } from '../../domain/simulation/script.js';

/** A file that cannot be read. The message is shown as it is. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

export interface PlayedWorkflow {
  name: string;
  dataTypes: DataTypeValues[];
  rootTask: RevisionTask;
}

const text = Type.Optional(Type.String());
const kind = OneOf(entryKinds);

/** Fields of an entry that has to be in the walk. A text between slashes is a pattern. */
const ExpectedEntry = Type.Object({
  kind,
  step: Type.Optional(Type.Integer({ minimum: 0 })),
  task: text,
  by: text,
  from: text,
  text,
  tool: text,
  arguments: text,
  result: text,
  until: text,
  status: text,
  outcome: text,
  reason: text,
});
export type ExpectedEntry = Static<typeof ExpectedEntry>;

const Expectation = Type.Object({
  status: text,
  outcome: text,
  currentTask: text,
  needsResponse: Type.Optional(Type.Boolean()),
  needsResponseReason: text,
  waitsFor: Type.Optional(Type.Object({ task: text, what: text, until: text })),
  entries: Type.Optional(
    Type.Array(ExpectedEntry, { description: 'In this order, with others between them' }),
  ),
  never: Type.Optional(Type.Array(ExpectedEntry, { description: 'Entries that the walk must not have' })),
});
export type Expectation = Static<typeof Expectation>;

const Walk = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  ...SimulationInput.properties,
  expect: Expectation,
});
export type ExpectedWalk = Static<typeof Walk>;

const WalksFile = Type.Object({
  workflow: Type.String({ description: 'The path of the file of the workflow, from this file' }),
  walks: Type.Array(Walk, { minItems: 1, maxItems: 500 }),
});

/** @throws FileError with every reason */
export async function readWorkflow(path: string): Promise<PlayedWorkflow> {
  const { name, dataTypes = [], rootTask } = await readChecked(path, ImportWorkflowRequest);
  const errors = checkRevision([rootTask as RevisionTask]);
  refuse(
    path,
    errors.map((error) => ({ ...error, pointer: error.pointer.replace('/tasks/0', '/rootTask') })),
  );
  return { name, dataTypes: dataTypes as DataTypeValues[], rootTask: rootTask as RevisionTask };
}

/** @throws FileError with every reason */
export async function readWalks(path: string): Promise<{ workflow: string; walks: ExpectedWalk[] }> {
  const { workflow, walks } = await readChecked(path, WalksFile);
  return { workflow: resolve(dirname(path), workflow), walks };
}

const walksName = /\.walks\.(?:ya?ml|json)$/;

/** The files of walks that a path names: itself, or those in and below a folder. Empty if it is a workflow. */
export async function walksFilesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new FileError(`There is no file or folder ${path}.`);
  if (found.isFile()) return walksName.test(path) ? [path] : [];
  const names = (await readdir(path, { recursive: true })).filter((name) => walksName.test(name)).sort();
  if (names.length === 0) throw new FileError(`${path} has no files that end in .walks.yaml or .walks.json.`);
  return names.map((name) => join(path, name));
}

async function readChecked<Schema extends TSchema>(path: string, schema: Schema): Promise<Static<Schema>> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new FileError(`${path} cannot be read (${error.code}).`);
  });
  const value = parsed(path, content);
  refuse(path, compileAnswer(schema)(value));
  return value as Static<Schema>;
}

/** YAML contains JSON. */
function parsed(path: string, content: string): unknown {
  try {
    return parse(content, { maxAliasCount: 100 });
  } catch (error) {
    throw new FileError(`${path}: ${(error as Error).message}`);
  }
}

function refuse(path: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new FileError(`${path}: ${describeErrors(errors)}`);
}
