import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './data.module.css';
import type { DataRecord, Field } from './queries.js';
import { useDataTexts } from './texts.js';
import { listOf } from './value.js';

interface Props {
  id: string;
  field: Field;
  value: unknown;
  files: DataRecord['files'];
  onChange(value: unknown): void;
}

/** The files of a field. One that is added is uploaded at once; the record has it when it is saved. */
export function FileInput({ id, field, value, files = [], onChange }: Props): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const ids = listOf(value).map(Number);
  const [added, setAdded] = useState<ReadonlyMap<number, string>>(new Map());
  const isMany = field.fieldType === 'files';
  const set = (next: readonly number[]) => onChange(isMany ? next : (next[0] ?? null));
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append('file', file, file.name);
      const params = { path: { workspace_uuid: uuid } };
      return answer(
        api.POST('/w/{workspace_uuid}/files', { params, body: { file: '' }, bodySerializer: () => form }),
      );
    },
    onSuccess: (file) => {
      setAdded(new Map([...added, [file.id, file.filename]]));
      set(isMany ? [...ids, file.id] : [file.id]);
    },
  });
  const nameOf = (one: number) =>
    added.get(one) ?? files.find((file) => file.id === one)?.title ?? filled(texts.deletedFile, { id: one });
  return (
    <div className={styles.files}>
      <ul>
        {ids.map((one) => (
          <li key={one}>
            {nameOf(one)}{' '}
            <button
              type="button"
              aria-label={filled(texts.removeFile, { name: nameOf(one) })}
              onClick={() => set(ids.filter((other) => other !== one))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <input
        id={id}
        type="file"
        disabled={upload.isPending}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) upload.mutate(file);
          target.value = '';
        }}
      />
      <ErrorNotice error={upload.error} />
    </div>
  );
}
