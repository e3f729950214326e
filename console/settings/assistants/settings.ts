import type { Schemas } from '../../kit/api.js';

export type Values = Schemas['UpdateAssistantRequest'];

/** A setting of a model: a choice, or a number within bounds, or a short text. */
export type Setting =
  | { name: string; options: readonly string[] }
  | { name: string; min: number; max: number; step: number }
  | { name: string; maxLength: number };

const grades = ['low', 'medium', 'high'] as const;

export const chatSettings = [
  { name: 'temperature', min: 0, max: 2, step: 0.1 },
  { name: 'reasoning_effort', options: ['minimal', ...grades] },
  { name: 'verbosity', options: grades },
  { name: 'max_completion_tokens', min: 1, max: 32_768, step: 1 },
] as const satisfies readonly Setting[];

/** Of the end of what the caller says, some settings are for one way of recognising it. */
const byTurnDetection = {
  server_vad: [
    { name: 'threshold', min: 0, max: 1, step: 0.05 },
    { name: 'prefix_padding_ms', min: 0, max: 5_000, step: 50 },
    { name: 'silence_duration_ms', min: 100, max: 10_000, step: 50 },
  ],
  semantic_vad: [{ name: 'eagerness', options: [...grades, 'auto'] }],
} as const;

const first = [{ name: 'turn_detection', options: ['server_vad', 'semantic_vad'] }] as const;
const last = [
  { name: 'noise_reduction', options: ['near_field', 'far_field', 'none'] },
  { name: 'language', maxLength: 2 },
  { name: 'idle_seconds', min: 0, max: 600, step: 1 },
  { name: 'idle_prompts', min: 0, max: 10, step: 1 },
] as const;

export const realtimeSettings = (turnDetection: unknown) =>
  [
    ...first,
    ...byTurnDetection[turnDetection === 'semantic_vad' ? 'semantic_vad' : 'server_vad'],
    ...last,
  ] satisfies readonly Setting[];

export type SettingName =
  | (typeof chatSettings)[number]['name']
  | ReturnType<typeof realtimeSettings>[number]['name'];
