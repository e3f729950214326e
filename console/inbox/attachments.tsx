import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './inbox.module.css';
import { useInboxTexts } from './texts.js';

/** A file that was uploaded for an answer. */
export interface Attachment {
  id: number;
  name: string;
}

interface Props {
  attachments: readonly Attachment[];
  change: (attachments: Attachment[]) => void;
  onUploading: (isUploading: boolean) => void;
}

/** The files that go with an answer. Each is uploaded when it is chosen. */
export function Attachments({ attachments, change, onUploading }: Props): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const stored = [...attachments];
      for (const file of files) {
        const form = new FormData();
        form.append('file', file, file.name);
        const { id, filename } = await answer(
          api.POST('/w/{workspace_uuid}/files', {
            params: { path: { workspace_uuid: uuid } },
            body: { file: '' },
            bodySerializer: () => form,
          }),
        );
        stored.push({ id, name: filename });
        // Those before one that fails are kept.
        change([...stored]);
      }
    },
    onMutate: () => onUploading(true),
    onSettled: () => onUploading(false),
  });
  return (
    <>
      <label className="button">
        {texts.attach}
        <input
          type="file"
          className="unseen"
          multiple
          disabled={upload.isPending}
          onChange={({ target }) => {
            upload.mutate([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </label>
      {attachments.length === 0 ? null : (
        <ul className={styles.files}>
          {attachments.map(({ id, name }) => (
            <li key={id}>
              {name}{' '}
              <button
                type="button"
                className="link"
                aria-label={filled(texts.remove, { name })}
                onClick={() => change(attachments.filter((one) => one.id !== id))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <ErrorNotice error={upload.error} />
    </>
  );
}
