import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProblemError } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { FormErrorContext } from '../kit/field.js';
import { SaveState } from '../kit/save-state.js';
import { TaskTree } from '../kit/task-tree.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { ChangesView, useChanges } from './changes-view.js';
import { LeftBehind } from './left-behind.js';
import { Play } from './play.js';
import { type Problem, Problems } from './problems.js';
import { Publish } from './publish.js';
import { checkQuery, type RevisionPath, type StoredRevision, type Workflow } from './queries.js';
import { views } from './search.js';
import { FirstTask, TaskActs } from './task-acts.js';
import { changeTask, placeAt, placesOf, type Task } from './task-document.js';
import { TaskForm } from './task-form.js';
import { useWorkflowTexts } from './texts.js';
import { useDraft, useDraftKey } from './use-draft.js';
import { usePlayer } from './use-player.js';
import styles from './workflows.module.css';

interface Props {
  at: RevisionPath;
  stored: StoredRevision;
  workflow: Workflow;
  isEditable: boolean;
  onPublished(): void;
}

/** The tasks of a revision, the properties of one beside them, and how it plays. */
export function Editor({ at, stored, workflow, isEditable, onPublished }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const draft = useDraft(at, stored, isEditable);
  const { value: root, left } = draft;
  const isSaved = !isEditable || draft.state === 'saved';
  const check = useQuery(checkQuery(at, stored.etag, isEditable && stored.root !== null));
  const { changes, error } = useChanges(at.uuid, workflow, root);
  if (root === null) {
    return isEditable ? <FirstTask onAdd={draft.change} /> : <p>{texts.noTasks}</p>;
  }
  const refused = draft.error instanceof ProblemError ? (draft.error.problem.errors ?? []) : [];
  const errors = [...refused, ...(isSaved ? (check.data?.errors ?? []) : [])];
  const warnings = (check.data?.warnings ?? []).map(({ field, message }) => ({ pointer: field, message }));
  const isChecked = isSaved && check.data !== undefined && !check.isPlaceholderData;
  return (
    <>
      {isEditable ? (
        <div className="acts">
          <Publish
            at={at}
            check={isChecked ? check.data : undefined}
            changedTasks={changes?.length}
            onPublished={onPublished}
          />
          <SaveState draft={draft} texts={texts} />
          {errors.length === 0 ? null : (
            <span className="error">{filled(texts.problemsFirst, { count: errors.length })}</span>
          )}
          <ErrorNotice error={check.error} />
        </div>
      ) : null}
      {left == null ? null : <LeftBehind root={left} name={workflow.name} onDrop={draft.takeTheirs} />}
      <Columns
        {...{ at, root, isEditable, isSaved, errors, warnings }}
        etag={isEditable && !(isChecked && check.data?.errors.length === 0) ? undefined : stored.etag}
        onChange={draft.change}
        changed={(show) => <ChangesView workflow={workflow} changes={changes} error={error} onShow={show} />}
      />
    </>
  );
}

interface ColumnsProps {
  at: RevisionPath;
  root: Task;
  isEditable: boolean;
  isSaved: boolean;
  errors: readonly Problem[];
  warnings: readonly Problem[];
  /** Of the stored revision, if it can be played. */
  etag: string | undefined;
  onChange(root: Task): void;
  changed(show: (uuid: string) => void): ReactNode;
}

function Columns(props: ColumnsProps): ReactNode {
  const { at, root, isEditable, isSaved, errors, warnings, etag, onChange, changed } = props;
  const texts = useWorkflowTexts();
  const { can } = useWorkspace();
  const { task: wanted, beside: view = 'play' } = useSearch({ from: '/w/$workspace/workflows/$workflowId' });
  const navigate = useNavigate();
  const player = usePlayer({ at, etag, mayAskModel: can('workflows:write') });
  const draftKey = useDraftKey(at);
  const places = placesOf(root);
  const place = places.find(({ task }) => task.uuid === wanted) ?? places[0];
  const current = places.find(({ task }) => task.name === player.walk?.currentTask)?.task.uuid;
  const show = (task: string) =>
    void navigate({ to: '.', search: (old) => ({ ...old, task }), replace: true });
  const countOf = (uuid: string, problems: readonly Problem[]) =>
    problems.filter(({ pointer }) => placeAt(places, pointer)?.task.uuid === uuid).length;
  const counts = { play: 0, problems: errors.length + warnings.length, changes: 0 };
  return (
    <div className={styles.editor}>
      <section className={styles.tasks} aria-label={texts.tasks}>
        <TaskTree
          label={texts.tasks}
          root={root}
          selected={place?.task.uuid}
          onSelect={show}
          current={player.walk?.status === 'active' ? current : undefined}
          note={({ uuid, taskType }) => (
            <TaskNote
              type={texts.types[taskType]}
              errors={countOf(uuid, errors)}
              warnings={countOf(uuid, warnings)}
            />
          )}
        />
      </section>
      {place === undefined ? null : (
        <section className={styles.form} aria-label={texts.task}>
          {isEditable ? <TaskActs root={root} place={place} onChange={onChange} onShow={show} /> : null}
          <fieldset disabled={!isEditable} className={styles.plainSet}>
            <legend className="unseen">{place.task.name}</legend>
            <FormErrorContext value={asError(errors)}>
              <TaskForm
                root={root}
                place={place}
                draftKey={isEditable ? `${draftKey}:${place.task.uuid}` : undefined}
                onChange={(task) => onChange(changeTask(root, task))}
              />
            </FormErrorContext>
          </fieldset>
        </section>
      )}
      <section className={styles.beside}>
        <div className={styles.tabs}>
          {views
            .filter((one) => isEditable || one === 'play')
            .map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={view === one}
                onClick={() =>
                  void navigate({ to: '.', search: (old) => ({ ...old, beside: one }), replace: true })
                }
              >
                {texts.views[one]} {counts[one] === 0 ? null : `(${counts[one]})`}
              </button>
            ))}
        </div>
        {view === 'play' || !isEditable ? (
          <Play player={player} root={root} isSaved={isSaved} isPlayable={etag !== undefined || !isSaved} />
        ) : null}
        {view === 'problems' && isEditable ? (
          <Problems places={places} errors={errors} warnings={warnings} onShow={show} />
        ) : null}
        {view === 'changes' && isEditable ? changed(show) : null}
      </section>
    </div>
  );
}

function TaskNote({ type, errors, warnings }: { type: string; errors: number; warnings: number }): ReactNode {
  const texts = useWorkflowTexts();
  return (
    <>
      <span className={styles.type}>{type}</span>
      {errors + warnings === 0 ? null : (
        <span className={errors === 0 ? styles.warning : styles.wrong}>
          <span aria-hidden="true">⚠</span>
          <span className="unseen">{texts.views.problems}</span> {errors + warnings}
        </span>
      )}
    </>
  );
}

/** What fields show is what an answer of the API says. */
function asError(errors: readonly Problem[]): ProblemError | null {
  return errors.length === 0 ? null : new ProblemError({ status: 400, code: '', detail: '', errors });
}
