import { hasNoAnswer } from './api.js';

interface Following {
  url: string;
  names: readonly string[];
  onEvent(name: string, data: unknown): void;
  /** Called when the stream stands, and when it does not. */
  onLive(isLive: boolean): void;
  /** Asks for the same, as a refused stream does not say why. */
  probe(): Promise<unknown>;
  /** Called with what `probe` failed with, if it will not pass; nothing is followed any more. */
  onRefused(error: Error): void;
  /** Whether the stream is closed while the window is hidden: browsers keep six connections to an HTTP/1.1 server. */
  onlyWhileVisible?: boolean;
}

const maxDelayMs = 30_000;

/**
 * Follows a stream of server-sent events. The browser opens a broken connection again by itself, but gives up where the
 * answer is no stream: then it is opened anew, ever later, unless the refusal stays. @returns a function that stops
 */
export function followEvents(following: Following): () => void {
  const { url, names, onEvent, onLive, probe, onRefused, onlyWhileVisible = false } = following;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let failures = 0;

  function open(): void {
    const opened = new EventSource(url);
    source = opened;
    opened.onopen = () => {
      failures = 0;
      onLive(true);
    };
    opened.onerror = () => {
      onLive(false);
      if (opened.readyState === EventSource.CLOSED) void openLater();
    };
    for (const name of names) {
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => onEvent(name, JSON.parse(data)));
    }
  }
  async function openLater(): Promise<void> {
    failures += 1;
    const delay = Math.min(maxDelayMs, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
    try {
      await probe();
    } catch (error) {
      if (isStopped) return;
      if (!hasNoAnswer(error)) return onRefused(error as Error);
    }
    if (!isStopped && source?.readyState === EventSource.CLOSED) timer = setTimeout(open, delay);
  }
  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }
  function onVisibility(): void {
    close();
    if (!document.hidden) open();
  }

  open();
  if (onlyWhileVisible) document.addEventListener('visibilitychange', onVisibility);
  return () => {
    isStopped = true;
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
