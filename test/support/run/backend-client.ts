import { inject } from 'vitest';
import type { Build, PostgresBackend, S3Backend, TemporalBackend, WorkflowBundle } from './backends.js';

/** Asks the run's global set-up for a backend, which starts it for the first who asks. */
async function ask<T>(name: string): Promise<T> {
  const response = await fetch(`${inject('backendsUrl')}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

export const postgresBackend = (): Promise<PostgresBackend> => ask('postgres');
export const temporalBackend = (): Promise<TemporalBackend> => ask('temporal');
export const s3Backend = (): Promise<S3Backend> => ask('s3');
export const workflowBundle = (): Promise<WorkflowBundle> => ask('workflows');
export const build = (): Promise<Build> => ask('build');
