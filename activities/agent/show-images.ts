import { buffer } from 'node:stream/consumers';
import type { ImageToShow, ModelMessage } from '../../domain/agent/model-history.js';
import { ProviderBusy, ProviderUnusable } from '../../providers/failures.js';
import type { ChatModelRequest, ModelContentPart } from '../../providers/model/chat-model.js';
import type { Storage } from '../../providers/storage/storage.js';

const notShown: ModelContentPart = {
  type: 'text',
  text: '[Note of the service: this image cannot be shown.]',
};

type Messages = ChatModelRequest['messages'];

/** The bytes of all images in a request; 0 without images. */
export function bytesOfImages(messages: readonly ModelMessage[]): number {
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? content.filter(isImage) : []))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Puts the bytes of images into a request, as `data:` addresses: the provider then needs no access to the storage, and
 * no address of a file leaves the service. An image that is not there any more, or cannot be read for a reason that does
 * not pass by itself, is replaced by a note. @throws StorageBusy, StorageUnusable
 */
export function withImages(storage: Pick<Storage, 'get'>, messages: readonly ModelMessage[]) {
  return replaceImages(messages, async ({ key, mimeType }) => {
    try {
      const bytes = await buffer(await storage.get(key));
      const url = `data:${mimeType};base64,${bytes.toString('base64')}`;
      return { type: 'image_url', image_url: { url } };
    } catch (error) {
      if (error instanceof ProviderBusy || error instanceof ProviderUnusable) throw error;
      return notShown;
    }
  });
}

/** The same request for a model that refuses its images. */
export function withoutImages(messages: readonly ModelMessage[]): Promise<Messages> {
  return replaceImages(messages, async () => notShown);
}

async function replaceImages(
  messages: readonly ModelMessage[],
  replace: (image: ImageToShow) => Promise<ModelContentPart>,
): Promise<Messages> {
  const replaced: Messages = [];
  for (const message of messages) {
    if (message.role !== 'user' || !Array.isArray(message.content)) {
      replaced.push(message as Messages[number]);
      continue;
    }
    const content: ModelContentPart[] = [];
    // One after the other: of a chat with many images, few are in memory twice.
    for (const part of message.content)
      content.push(isImage(part) ? await replace(part) : (part as ModelContentPart));
    replaced.push({ role: 'user', content });
  }
  return replaced;
}

function isImage(part: { type: string }): part is ImageToShow {
  return part.type === 'image_to_show';
}
