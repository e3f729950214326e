import type { ReactNode } from 'react';
import { Status } from '../kit/page.js';
import { filled } from '../texts/texts.js';
import type { StoredFile } from './queries.js';
import { useFileTexts } from './texts.js';

/** Who sees a file or a folder, in short. */
export function Seen({
  of: { access, shareCount, siteId },
}: {
  of: Pick<StoredFile, 'access' | 'shareCount'> & Partial<Pick<StoredFile, 'siteId'>>;
}): ReactNode {
  const texts = useFileTexts();
  return (
    <>
      <Status tone={access === 'public' ? 'warning' : 'quiet'}>{texts.accesses[access]}</Status>
      {siteId == null ? null : ` ${texts.ofSite}`}
      {shareCount === 0 ? null : ` ${filled(texts.linkCount, { count: shareCount })}`}
    </>
  );
}

const tones = {
  pending: 'warning',
  indexed: 'done',
  unsupported: 'quiet',
  failed: 'danger',
  given_up: 'danger',
} as const;

/** Whether the words in a file are found. */
export function Findable({ state }: { state: StoredFile['indexing']['state'] }): ReactNode {
  const texts = useFileTexts();
  return <Status tone={tones[state]}>{texts.indexingStates[state]}</Status>;
}

/** Labels with their colours, which only repeat the names. */
export function Labels({
  labels,
  act,
}: {
  labels: StoredFile['labels'];
  act?(label: StoredFile['labels'][number]): ReactNode;
}): ReactNode {
  return labels.map((label) => (
    <span key={label.id} className="chip label">
      <span className="dot" style={{ background: label.color }} aria-hidden="true" />
      {label.name}
      {act?.(label)}
    </span>
  ));
}
