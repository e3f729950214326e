import type { ReactNode } from 'react';
import { answer, api, isGone, ProblemError } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './files.module.css';
import { Move } from './move.js';
import { useFileTexts } from './texts.js';

interface Props {
  ids: ReadonlySet<number>;
  /** Where they are now. */
  from: number | undefined | 'many';
  onChange(ids: ReadonlySet<number>): void;
  onDeleted(id: number): void;
}

/** Moves or deletes the chosen files. Those that it is refused for stay chosen. */
export function Chosen({ ids, from, onChange, onDeleted }: Props): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const path = (id: number) => ({ params: { path: { workspace_uuid: uuid, file_id: id } } });
  const each = async (act: (id: number) => Promise<unknown>) => {
    const left = new Set(ids);
    let first: ProblemError | undefined;
    for (const id of ids) {
      try {
        await act(id);
        left.delete(id);
      } catch (error) {
        if (isGone(error)) left.delete(id);
        else if (error instanceof ProblemError) first ??= error;
        else throw error;
      }
    }
    onChange(left);
    if (first === undefined) return;
    const detail = filled(texts.notDone, { count: left.size, reason: first.problem.detail });
    throw new ProblemError({ ...first.problem, detail });
  };
  if (ids.size === 0) return null;
  const count = filled(texts.chosen, { count: ids.size });
  return (
    <section className={`acts ${styles.chosen}`} aria-label={count}>
      <strong role="status">{count}</strong>
      <Move
        from={from}
        move={(folderId) =>
          each((id) =>
            answer(api.PUT('/w/{workspace_uuid}/files/{file_id}', { ...path(id), body: { folderId } })),
          )
        }
        changes={[['files']]}
      />
      <AsksFirst
        title={texts.remove}
        tone="danger"
        help={filled(texts.removeChosenHelp, { count: ids.size })}
        act={() =>
          each(async (id) => {
            await answer(api.DELETE('/w/{workspace_uuid}/files/{file_id}', path(id)));
            onDeleted(id);
          })
        }
        changes={[['files', 'list']]}
      />
      <button type="button" className="link" onClick={() => onChange(new Set())}>
        {texts.chooseNone}
      </button>
    </section>
  );
}
