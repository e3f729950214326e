import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { Read } from '../kit/read.js';
import { useWorkspace } from '../kit/workspace.js';
import styles from './files.module.css';
import { bytesAddress, type StoredFile } from './queries.js';
import { useFileTexts } from './texts.js';

/** So much of a text is read to be shown. */
const mostBytes = 16_384;
const texts = ['text/plain', 'text/markdown', 'text/csv', 'application/json', 'application/xml'];

/** What a browser shows of a file without running anything in it. The rest is downloaded. */
export function Preview({ file }: { file: StoredFile }): ReactNode {
  const { uuid } = useWorkspace();
  const { id, mimeType, title, currentVersionNumber } = file;
  const address = bytesAddress(uuid, id, currentVersionNumber);
  if (mimeType.startsWith('image/')) return <img className={styles.preview} src={address} alt={title} />;
  const media = { className: styles.preview, controls: true, src: address, 'aria-label': title };
  if (mimeType.startsWith('audio/')) return <audio {...media} />;
  if (mimeType.startsWith('video/')) return <video {...media} />;
  return texts.includes(mimeType) ? <TextPreview file={file} /> : null;
}

/** The beginning of a text, as it is written. */
function TextPreview({ file: { id, title, fileSize, currentVersionNumber: version } }: { file: StoredFile }) {
  const { beginning } = useFileTexts();
  const { uuid } = useWorkspace();
  const query = useQuery({
    queryKey: [uuid, 'file-text', id, version],
    queryFn: ({ signal }) => {
      const params = { path: { workspace_uuid: uuid, file_id: id }, query: { version } };
      const headers = { Range: `bytes=0-${mostBytes - 1}` };
      const path = '/w/{workspace_uuid}/files/{file_id}/download';
      return answer(api.GET(path, { params, headers, parseAs: 'text', signal }));
    },
  });
  return (
    <Read query={query}>
      {(text) => (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
          <section className={styles.text} tabIndex={0} aria-label={title}>
            <pre dir="auto">{text}</pre>
          </section>
          {fileSize > mostBytes ? <p className="quiet">{beginning}</p> : null}
        </>
      )}
    </Read>
  );
}
