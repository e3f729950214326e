import { type ActivityInterfaceFor, type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import type { InWorkspace } from './contracts/runs.js';

type ActivityOf<Name extends keyof Activities> = ActivityInterfaceFor<Pick<Activities, Name>>[Name];

/** An activity of a run, which takes turns with those of other workspaces. */
export function activityOf<Name extends keyof Activities>(
  name: Name,
  { workspaceUuid: fairnessKey }: Pick<InWorkspace, 'workspaceUuid'>,
  { priority, ...options }: ActivityOptions,
): ActivityOf<Name> {
  const activities = proxyActivities<Pick<Activities, Name>>({
    ...options,
    priority: { ...priority, fairnessKey },
  });
  return activities[name];
}
