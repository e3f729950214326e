import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { askModel } from '../../../activities/agent/ask-model.js';
import { ImageMemory } from '../../../activities/agent/image-memory.js';
import type { Asked } from '../../../domain/agent/prepare-round.js';
import { type ChatModel, ModelBusy, ModelRefused } from '../../../providers/model/chat-model.js';
import { type Storage, StorageBusy } from '../../../providers/storage/storage.js';
import { Turn } from '../../domain/agent/take-round.js';
import { stageFreeChat } from '../../support/chats/free-chat.js';
import { queryOnce } from '../../support/db/connect.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

const image = { type: 'image_to_show', key: 'scan', mimeType: 'image/png', bytes: 10 } as const;
const unaborted = new AbortController().signal;

interface Staged {
  images?: ImageMemory;
  /** What happens when the storage is read. */
  read?(environment: MockActivityEnvironment): Promise<never> | undefined;
  complete?: ChatModel['complete'];
  cancelled?: boolean;
}

/** Memory for images that is full, and a function that ends the request which holds it. */
function full(options: { waitMs?: number } = {}) {
  const images = new ImageMemory({ maxBytes: 10, ...options });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holder = images.hold(10, unaborted, () => ended);
  return {
    images,
    end: () => {
      end();
      return holder;
    },
  };
}

/** A call of the model with one image; returns how often the model was asked, the failure, and what is booked. */
async function fail({ images = new ImageMemory(), read, complete, cancelled = false }: Staged) {
  const workspace = await createWorkspace(suite.database.database);
  const chat = await stageFreeChat(workspace);
  await chat.memberWrites('What is this?');
  const asked = await new Turn(chat).ask();
  const prepared: Asked = { ...asked, messages: [{ role: 'user', content: [image] }] };
  const environment = new MockActivityEnvironment();
  let calls = 0;
  const model: ChatModel = {
    complete: async (request) => {
      calls += 1;
      if (complete !== undefined) return complete(request);
      throw new ModelBusy('timeout');
    },
  };
  const storage = {
    get: async () => {
      await read?.(environment);
      return (async function* () {
        yield Buffer.from('png');
      })();
    },
  } as unknown as Storage;
  const dependencies = { ...chat.context, logger: pino({ level: 'silent' }), model, storage };
  const draft = { isTold: false, length: 0, add: () => {} };

  const failed = environment
    .run(() => askModel(dependencies, images, workspace, prepared, draft))
    .catch((error: unknown) => error);
  if (cancelled) environment.cancel();
  const failure = await failed;

  const count = async (table: string) =>
    (
      await queryOnce(suite.database.superuserUrl, `select id from ${table} where workspace_id = $1`, [
        workspace.workspaceId,
      ])
    ).length;
  return { calls, failure, booked: await count('token_usage'), open: await count('open_model_calls') };
}

describe('a call of the model that fails', () => {
  it('is booked if its request was sent', async () => {
    expect(await fail({})).toMatchObject({ calls: 1, booked: 1, open: 0 });
  });

  it('costs nothing if its images found no room', async () => {
    const { images, end } = full({ waitMs: 1 });

    expect(await fail({ images })).toMatchObject({
      calls: 0,
      booked: 0,
      open: 0,
      failure: { type: 'model_busy' },
    });
    await end();
  });

  it('costs nothing if it is cancelled while it waits for room', async () => {
    const { images, end } = full();

    const failed = await fail({ images, cancelled: true });

    expect(failed).toMatchObject({ calls: 0, booked: 0, open: 0 });
    expect(failed.failure).toBeInstanceOf(CancelledFailure);
    await end();
  });

  it('costs nothing if it is cancelled while the images are read', async () => {
    const read = (environment: MockActivityEnvironment) => {
      environment.cancel();
      return undefined;
    };
    expect(await fail({ read })).toMatchObject({ calls: 0, booked: 0, open: 0 });
  });

  it('costs nothing if the storage does not answer', async () => {
    const read = () => Promise.reject(new StorageBusy('timeout'));
    expect(await fail({ read })).toMatchObject({ calls: 0, booked: 0, open: 0 });
  });

  it('is booked if the model refused the images, and the request without them was lost', async () => {
    const failures = [new ModelRefused('invalid_image', 400), new ModelBusy('timeout')];
    const complete = () => Promise.reject(failures.shift());
    expect(await fail({ complete })).toMatchObject({ calls: 2, booked: 1, open: 0 });
  });
});
