import { ModelBusy } from '../../providers/model/chat-model.js';

export interface ImageMemoryOptions {
  /**
   * Bytes of images that the requests of one process may hold at once. A request holds each about four times: as it was
   * read, as a `data:` address, and in its body as a text and as what is sent.
   */
  maxBytes: number;
  /** How long a request waits for its turn. */
  waitMs: number;
}

const usual: ImageMemoryOptions = { maxBytes: 24 * 1_048_576, waitMs: 20_000 };

/**
 * Lets requests with images take turns, by their bytes and in the order of arrival, so that many chats with large images
 * do not use up the memory of a worker.
 */
export class ImageMemory {
  readonly #options: ImageMemoryOptions;
  readonly #waiting = new Set<{ bytes: number; begin: () => void }>();
  #held = 0;

  constructor(options: Partial<ImageMemoryOptions> = {}) {
    this.#options = { ...usual, ...options };
  }

  /** Runs `work` while it holds so many bytes. @throws ModelBusy `too_many_images` when its turn does not come in time */
  async hold<Result>(bytes: number, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.size === 0 && this.#fits(bytes)) this.#held += bytes;
    else await this.#wait(bytes, signal);
    try {
      return await work();
    } finally {
      this.#held -= bytes;
      this.#admit();
    }
  }

  /** One that is larger than all that may be held has its turn alone. */
  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#options.maxBytes;
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(waiter);
        settle();
      };
      const waiter = { bytes, begin: () => end(resolve) };
      const giveUp = (reason: unknown) => {
        end(() => reject(reason));
        this.#admit();
      };
      const abort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(new ModelBusy('too_many_images')), this.#options.waitMs);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      if (!this.#fits(waiter.bytes)) return;
      this.#held += waiter.bytes;
      waiter.begin();
    }
  }
}
