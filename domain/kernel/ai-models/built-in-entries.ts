import type { CatalogueEntries } from './entries.js';

/** Voices for realtime sessions as well as for speech synthesis. */
const realtimeVoices = [
  'openai:voice:alloy',
  'openai:voice:ash',
  'openai:voice:ballad',
  'openai:voice:cedar',
  'openai:voice:coral',
  'openai:voice:echo',
  'openai:voice:marin',
  'openai:voice:sage',
  'openai:voice:shimmer',
  'openai:voice:verse',
];

const vad = { serverVad: true, clientVad: true };

/**
 * The built-in catalogue. One credit is the price of 1000 uncached input tokens of the recommended chat model; all
 * other prices are in proportion to those of the providers (docs/decisions/0033).
 */
// biome-ignore format: a table, one model to a line or two
export const builtInEntries: CatalogueEntries = {
  models: [
    { id: 'openai:chat:gpt-4.1-mini', description: 'Quick and dependable with tools', recommended: true,
      multiplier: 1, outputMultiplier: 4, cachedMultiplier: 0.25, images: true },
    { id: 'openai:chat:gpt-4.1', description: 'Follows long and intricate instructions',
      multiplier: 5, outputMultiplier: 4, cachedMultiplier: 0.25, images: true },
    { id: 'openai:chat:gpt-4.1-nano', description: 'For the simplest conversations',
      multiplier: 0.25, outputMultiplier: 4, cachedMultiplier: 0.25, images: true },
    { id: 'openai:chat:gpt-5', description: 'Thinks before it answers; the slowest',
      multiplier: 3.125, outputMultiplier: 8, cachedMultiplier: 0.1, images: true },
    { id: 'openai:chat:gpt-5-mini', description: 'Thinks a little before it answers',
      multiplier: 0.625, outputMultiplier: 8, cachedMultiplier: 0.1, images: true },
    { id: 'openai:chat:gpt-4o', state: 'deprecated', replacement: 'openai:chat:gpt-4.1',
      multiplier: 6.25, outputMultiplier: 4, cachedMultiplier: 0.5, images: true },
    { id: 'openai:chat:gpt-4o-mini', state: 'deprecated', replacement: 'openai:chat:gpt-4.1-mini',
      multiplier: 0.375, outputMultiplier: 4, cachedMultiplier: 0.5, images: true },
    { id: 'openai:chat:gpt-4.5-preview', state: 'disabled', replacement: 'openai:chat:gpt-4.1',
      multiplier: 187.5, outputMultiplier: 2, cachedMultiplier: 0.5, images: true },

    { id: 'openai:realtime:gpt-realtime', description: 'Speaks and listens, with tools', recommended: true,
      multiplier: 10, outputMultiplier: 4, cachedMultiplier: 0.1, voices: realtimeVoices, ...vad },
    { id: 'openai:realtime:gpt-realtime-mini', description: 'Speaks and listens at a lower price',
      multiplier: 1.5, outputMultiplier: 4, cachedMultiplier: 0.1, voices: realtimeVoices, ...vad },
    { id: 'openai:realtime:gpt-4o-realtime-preview', state: 'deprecated', replacement: 'openai:realtime:gpt-realtime',
      multiplier: 12.5, outputMultiplier: 4, cachedMultiplier: 0.5, voices: realtimeVoices, ...vad },

    { id: 'openai:image:gpt-image-1', description: 'Detailed images', recommended: true, multiplier: 105 },
    { id: 'openai:image:gpt-image-1-mini', description: 'Simple images', multiplier: 27.5 },
    { id: 'openai:image:dall-e-3', state: 'deprecated', replacement: 'openai:image:gpt-image-1', multiplier: 100 },

    { id: 'openai:stt:gpt-4o-mini-transcribe', description: 'Speech to text', recommended: true, multiplier: 7.5 },
    { id: 'openai:stt:gpt-4o-transcribe', description: 'Speech to text, also where it is noisy', multiplier: 15 },
    { id: 'openai:stt:whisper-1', description: 'Speech to text in many languages', multiplier: 15 },

    { id: 'openai:tts:gpt-4o-mini-tts', description: 'Text to speech that can be directed', recommended: true,
      multiplier: 37.5 },
    { id: 'openai:tts:tts-1', description: 'Text to speech without delay', multiplier: 37.5 },
    { id: 'openai:tts:tts-1-hd', description: 'Text to speech in high quality', multiplier: 75 },
  ],
  voices: [
    { id: 'openai:voice:alloy', description: 'Even and neutral' },
    { id: 'openai:voice:ash', description: 'Clear and matter-of-fact' },
    { id: 'openai:voice:ballad', description: 'Soft and melodious' },
    { id: 'openai:voice:cedar', description: 'Warm and natural' },
    { id: 'openai:voice:coral', description: 'Bright and friendly' },
    { id: 'openai:voice:echo', description: 'Resonant and calm' },
    { id: 'openai:voice:fable', description: 'Expressive, for telling stories' },
    { id: 'openai:voice:marin', description: 'Lively and natural' },
    { id: 'openai:voice:nova', description: 'Energetic and open' },
    { id: 'openai:voice:onyx', description: 'Deep and composed' },
    { id: 'openai:voice:sage', description: 'Gentle and thoughtful' },
    { id: 'openai:voice:shimmer', description: 'Light and cheerful' },
    { id: 'openai:voice:verse', description: 'Versatile and expressive' },
  ],
};
