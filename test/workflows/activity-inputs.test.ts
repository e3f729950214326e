import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import type { Activities } from '../../activities/index.js';
import { activityInputs } from './recording/activity-inputs.js';
import { isReleased, listRecordings, readRecording } from './recording/releases.js';

interface Scheduled {
  name: string;
  input: unknown;
}

async function scheduledIn(path: string): Promise<Scheduled[]> {
  const { events } = await readRecording(path);
  return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    if (!scheduled) return [];
    const data = scheduled.input?.payloads?.[0]?.data;
    const input = data ? JSON.parse(Buffer.from(data).toString('utf8')) : undefined;
    return [{ name: scheduled.activityType?.name ?? '', input }];
  });
}

function whatIsWrong({ name, input }: Scheduled): string[] {
  const schema = activityInputs[name as keyof Activities];
  if (schema === undefined) return [`${name} is no activity any more`];
  return Compile(schema)
    .Errors(input)
    .map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}

/** An activity that an earlier release scheduled may run on a worker of this release. */
describe('the activity input schemas', () => {
  it('accept the inputs recorded in released histories', async () => {
    const released = (await listRecordings()).filter(isReleased);
    const scheduled = (await Promise.all(released.map(scheduledIn))).flat();

    expect(scheduled.length).toBeGreaterThan(0);
    expect(scheduled.flatMap(whatIsWrong)).toEqual([]);
  });

  it('reject a recorded input that lacks a required property', () => {
    const { assignmentTaskId: _, ...fewer } = { workspaceId: 1, chatId: 1, assignmentTaskId: 1 };

    expect(whatIsWrong({ name: 'runTool', input: fewer })).toEqual([
      'runTool must have required properties toolCallId',
    ]);
    expect(whatIsWrong({ name: 'dial', input: undefined })).toEqual(['dial is no activity any more']);
  });
});
