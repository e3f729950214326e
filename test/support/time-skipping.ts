import { TestWorkflowEnvironment } from '@temporalio/testing';
import { obtainTestServer } from '../../dev/provision/obtain-test-server.js';
import { consoleProgress } from '../../dev/provision/progress.js';

/**
 * A Temporal server whose clock jumps over whatever a run waits for. One per test file: `await using` it, or
 * call `teardown` at the end.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const path = await obtainTestServer(consoleProgress());
  return TestWorkflowEnvironment.createTimeSkipping(
    path === undefined ? {} : { server: { executable: { type: 'existing-path', path } } },
  );
}
