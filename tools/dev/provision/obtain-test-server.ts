import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, findOnPath } from './find-temporal.js';
import type { Progress } from './progress.js';

const run = promisify(execFile);
const version = '1.38.0';

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>time-skipping-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;

/**
 * Returns a program that runs Temporal's time-skipping test server on the JVM, downloaded with Maven once and kept
 * in the cache. Undefined without Java or Maven; `@temporalio/testing` then downloads its own server.
 */
export async function obtainTestServer(progress: Progress): Promise<string | undefined> {
  const libraries = join(dirname(cacheFolder()), `temporal-test-server-${version}`);
  const program = join(libraries, 'temporal-test-server');
  if (existsSync(program)) return program;
  const [java, maven] = [findOnPath('java'), findOnPath('mvn')];
  if (java === undefined || maven === undefined) return undefined;
  await progress.step('Fetching the time-skipping test server with Maven (once)', () =>
    fetchLibraries({ java, maven, libraries }),
  );
  return program;
}

async function fetchLibraries(from: { java: string; maven: string; libraries: string }): Promise<void> {
  const { java, maven, libraries } = from;
  mkdirSync(dirname(libraries), { recursive: true });
  const folder = mkdtempSync(join(dirname(libraries), 'fetching-'));
  const project = mkdtempSync(join(tmpdir(), 'wes-maven-'));
  try {
    writeFileSync(join(project, 'pom.xml'), pom);
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
    await run(maven, ['-B', '-q', ...copy], { cwd: project, timeout: 600_000 });
    const classPath = readdirSync(folder).map((name) => join(libraries, name));
    writeFileSync(join(folder, 'temporal-test-server'), script(java, classPath), { mode: 0o755 });
    renameSync(folder, libraries);
  } catch (error) {
    // A concurrent test file may have created the folder first; its copy is equivalent.
    if (!existsSync(join(libraries, 'temporal-test-server'))) throw error;
  } finally {
    rmSync(project, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses `exec`, so that a signal to the script reaches the server. */
function script(java: string, classPath: readonly string[]): string {
  return `#!/bin/sh
exec '${java}' -XX:TieredStopAtLevel=1 -cp '${classPath.join(':')}' io.temporal.testserver.TestServer "$@"
`;
}
