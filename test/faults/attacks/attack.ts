import type { TestWorkspace } from '../../support/factories.js';

/** What an attack has to work with: a workspace of the attacker's own on a service in a process of its own. */
export interface Scene {
  workspace: TestWorkspace;
  /** Where the attacked api answers. */
  url: string;
}

/** One way to stop others that a review found. To add one: a file of its own, and a line in `index.ts`. */
export interface Attack {
  name: string;
  /** Requests under way at once. */
  concurrency: number;
  /** Makes what the attack needs. @returns one request of the attack, which is sent again and again */
  prepare(scene: Scene): Promise<() => Promise<Response>>;
  /** Answers that a request of the attack may get. */
  expected: readonly number[];
}

/** A GET as the attacker. */
export function getAs(scene: Scene, apiKey: string, path: string): () => Promise<Response> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return () => fetch(`${scene.url}/api/v2${scene.workspace.path(path)}`, { headers });
}
