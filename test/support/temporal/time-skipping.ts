import { temporal } from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { searchAttributeNames } from '../../../runtime/temporal/run-options.js';
import { obtainTestServer } from '../../../tools/dev/provision/obtain-test-server.js';
import { consoleProgress } from '../../../tools/dev/provision/progress.js';

const attempts = 5;

/**
 * A Temporal server whose clock jumps over whatever a run waits for, for one file. The SDK gives it five seconds to
 * start, which is not always enough for a JVM on a busy machine.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const path = await obtainTestServer(consoleProgress());
  const options =
    path === undefined ? {} : { server: { executable: { type: 'existing-path', path } as const } };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withSearchAttributes(await TestWorkflowEnvironment.createTimeSkipping(options));
    } catch (error) {
      const late = error instanceof Error && /did not start within/.test(error.message);
      if (!late || attempt === attempts) throw error;
    }
  }
}

async function withSearchAttributes(environment: TestWorkflowEnvironment): Promise<TestWorkflowEnvironment> {
  const { namespace = 'default' } = environment;
  const keyword = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  const searchAttributes = Object.fromEntries(searchAttributeNames.map((name) => [name, keyword]));
  await environment.connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  return environment;
}
