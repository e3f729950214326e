import { workflowIdOf } from '../../workflows/contracts/runs.js';
import type { Configuration } from '../configuration.js';

/** The addresses of runs of assignments in the Temporal UI. @returns undefined where the operator has named no UI */
export function runUrlsOf({ temporal, temporalUiUrl }: Pick<Configuration, 'temporal' | 'temporalUiUrl'>) {
  if (temporalUiUrl === undefined) return undefined;
  const namespace = encodeURIComponent(temporal.namespace);
  return (assignmentUuid: string): string =>
    `${temporalUiUrl}/namespaces/${namespace}/workflows/${workflowIdOf('runAssignment', assignmentUuid)}`;
}
