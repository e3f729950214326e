import { expect, it } from 'vitest';
import { callSettings } from '../../../../domain/agent/voice/call-settings.js';
import { realtimeConfigOf } from '../../../../domain/definitions/task-tree/realtime-config.js';
import { named, taskTree } from '../../definitions/task-tree/tasks.js';

it('each setting is that of the participant, else of the definition, else of the assistant', () => {
  const assistant = { realtimeModelConfig: { voice: 'cedar', idle_seconds: 5, idle_prompts: 1 } };
  const participant = { realtimeModelConfig: { idle_prompts: 3 } };
  expect(callSettings(assistant, { idle_seconds: 20, idle_prompts: 2 }, participant)).toEqual({
    voice: 'cedar',
    idle_seconds: 20,
    idle_prompts: 3,
  });
  expect(callSettings(null, {}, undefined)).toEqual({});
  expect(callSettings(assistant, {}, { realtimeModelConfig: null })).toEqual(assistant.realtimeModelConfig);
});

it('a setting that is none is passed over', () => {
  expect(callSettings({ realtimeModelConfig: { user: 'x' } }, { idle_seconds: -1 }, undefined)).toEqual({});
});

it('each setting of a task is that of the nearest task that has it', () => {
  const tree = taskTree({
    name: 'root',
    realtimeModelConfig: { voice: 'cedar', idle_seconds: 20 },
    children: [{ name: 'child', realtimeModelConfig: { idle_seconds: 5 }, children: [{ name: 'leaf' }] }],
  });
  expect(realtimeConfigOf(tree, named(tree, 'leaf'))).toEqual({ voice: 'cedar', idle_seconds: 5 });
  expect(realtimeConfigOf(tree, named(tree, 'root'))).toEqual({ voice: 'cedar', idle_seconds: 20 });
});
