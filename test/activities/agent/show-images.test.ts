import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { bytesOfImages, withImages, withoutImages } from '../../../activities/agent/show-images.js';
import type { ModelMessage } from '../../../domain/agent/model-history.js';
import {
  StorageBusy,
  StorageMissing,
  StorageRefused,
  StorageUnusable,
} from '../../../providers/storage/storage.js';

const messages: ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hello' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'See this' },
      { type: 'image_to_show', key: 'a/b', mimeType: 'image/png', bytes: 5 },
    ],
  },
];

const storage = (get: () => Promise<Readable>) => ({ get });
const failing = (error: Error) => storage(() => Promise.reject(error));
const partsOf = (shown: Awaited<ReturnType<typeof withImages>>) => shown[2]?.content;

describe('images in a request to a model', () => {
  it('become addresses with their bytes, and the rest stays', async () => {
    const shown = await withImages(
      storage(async () => Readable.from([Buffer.from('im'), Buffer.from('age')])),
      messages,
    );

    expect(bytesOfImages(messages)).toBe(5);
    expect(shown.slice(0, 2)).toEqual(messages.slice(0, 2));
    const url = `data:image/png;base64,${Buffer.from('image').toString('base64')}`;
    expect(partsOf(shown)).toEqual([
      { type: 'text', text: 'See this' },
      { type: 'image_url', image_url: { url } },
    ]);
  });

  it.each([
    ['is gone', new StorageMissing()],
    ['is refused', new StorageRefused('spool_missing')],
  ])('are replaced by a note where one %s', async (_, error) => {
    const replaced = [
      { type: 'text', text: 'See this' },
      { type: 'text', text: expect.stringContaining('cannot be shown') },
    ];
    expect(partsOf(await withImages(failing(error), messages))).toEqual(replaced);
    expect(partsOf(await withoutImages(messages))).toEqual(replaced);
  });

  it.each([
    ['is busy', new StorageBusy('timeout')],
    ['cannot be used because of the account', new StorageUnusable('denied')],
  ])('are waited for while the storage %s', async (_, error) => {
    await expect(withImages(failing(error), messages)).rejects.toBe(error);
  });

  it('are none in plain text', () => {
    expect(bytesOfImages(messages.slice(0, 2))).toBe(0);
  });
});
