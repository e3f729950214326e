import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { filled } from '../../texts/texts.js';
import { answer, api, type Schemas } from '../api.js';
import { ErrorNotice } from '../error-notice.js';
import { Section } from '../page.js';
import { useWorkspace } from '../workspace.js';
import { ChooseFile } from './choose-file.js';
import { ColumnTable } from './column-table.js';
import { doubled, guessColumns, type ImportTarget } from './columns.js';
import styles from './import.module.css';
import { Counts, RefusedRows } from './outcome.js';
import { Running } from './running.js';
import { useImportTexts } from './texts.js';
import { type SendImport, useImport } from './use-import.js';

interface Props {
  targets: readonly ImportTarget[];
  /** Further fields of the form, and the controls that choose them. */
  fields?: Readonly<Record<string, string>>;
  choices?: ReactNode;
  send: SendImport;
  /** Called when rows may have been written. */
  onImported(): void;
}

/** The steps of an import: a file, what its columns become, what the import would do, and the import. */
export function ImportSteps(props: Props): ReactNode {
  const texts = useImportTexts();
  const { uuid } = useWorkspace();
  const read = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.append('file', file);
      const params = { path: { workspace_uuid: uuid } };
      const call = api.POST('/w/{workspace_uuid}/csv-files/preview', {
        params,
        body: { file: '' },
        bodySerializer: () => form,
      });
      return { file, preview: await answer(call) };
    },
  });
  if (read.isPending) return <p role="status">{texts.reading}</p>;
  return (
    <>
      <ErrorNotice error={read.error} />
      {read.data === undefined ? (
        <ChooseFile onFile={read.mutate} />
      ) : (
        <FileSteps key={read.submittedAt} {...props} {...read.data} onOther={read.reset} />
      )}
    </>
  );
}

interface FileProps extends Props {
  file: File;
  preview: Schemas['CsvPreviewResponse'];
  onOther(): void;
}

function FileSteps(props: FileProps): ReactNode {
  const { file, preview, targets, fields, choices, send, onImported, onOther } = props;
  const texts = useImportTexts();
  const [chosen, setChosen] = useState<readonly string[]>(() => guessColumns(preview.columns, targets));
  const [blankCells, setBlankCells] = useState('keep');
  const check = useImport(send);
  const run = useImport(send, onImported);
  const isBusy = check.isPending || run.isPending;
  const form = (dryRun: boolean) => {
    const sent = new FormData();
    const told = { ...fields, blankCells, columns: chosen.join(','), dryRun: String(dryRun) };
    for (const [name, value] of Object.entries({ ...told, failedRowsFile: 'true' })) sent.set(name, value);
    if (preview.encoding === 'windows-1252') sent.set('encoding', preview.encoding);
    // Last, because the API reads the fields before it.
    sent.set('file', file);
    return sent;
  };
  const { encoding, separator, total } = preview;
  const understood = {
    rows: total,
    encoding: encoding.toUpperCase(),
    separator: texts.separators[separator],
  };
  const refusedName = `${file.name.replace(/\.\w+$/, '')}-refused.csv`;
  return (
    <>
      <Section title={file.name} acts={<OtherFile isDisabled={isBusy} onOther={onOther} />}>
        <p>{filled(texts.understood, understood)}</p>
      </Section>
      {run.data === undefined ? (
        <Section title={texts.columns}>
          <fieldset className={styles.plain} disabled={isBusy} onChange={check.reset}>
            <ColumnTable preview={preview} targets={targets} chosen={chosen} onChoose={setChosen} />
            <div className={styles.choices}>
              {choices}
              <label>
                {texts.blankCells}{' '}
                <select value={blankCells} onChange={({ target }) => setBlankCells(target.value)}>
                  <option value="keep">{texts.keepBlank}</option>
                  <option value="clear">{texts.clearBlank}</option>
                </select>
              </label>
            </div>
          </fieldset>
          <ColumnProblems chosen={chosen} targets={targets} />
          <p className="acts">
            <button
              type="button"
              className={check.data === undefined ? 'primary' : ''}
              disabled={isBusy || doubled(chosen) !== undefined || chosen.every((column) => column === '')}
              onClick={() => check.mutate(form(true))}
            >
              {texts.check}
            </button>
            <span className="quiet">{texts.checkHint}</span>
          </p>
          <Running run={check} total={total} text={texts.checking} />
        </Section>
      ) : null}
      {check.data !== undefined && run.data === undefined ? (
        <Section title={texts.checked}>
          <div role={run.isPending ? undefined : 'status'}>
            <Counts counts={run.progress ?? check.data} />
          </div>
          <RefusedRows result={check.data} fileName={refusedName} />
          {run.isPending ? null : (
            <p className="acts">
              <button
                type="button"
                className="primary"
                disabled={check.data.success === 0}
                onClick={() => run.mutate(form(false))}
              >
                {filled(texts.start, { rows: check.data.success })}
              </button>
              <span className="quiet">{check.data.success === 0 ? texts.nothingToDo : texts.farApart}</span>
            </p>
          )}
          <Running run={run} total={total} text={`${texts.importing} ${texts.keepOpen}`} />
        </Section>
      ) : null}
      {run.data === undefined ? null : (
        <Section title={texts.done}>
          <div role="status">
            <Counts counts={run.data} />
          </div>
          <RefusedRows result={run.data} fileName={refusedName} />
        </Section>
      )}
    </>
  );
}

function OtherFile({ isDisabled, onOther }: { isDisabled: boolean; onOther(): void }): ReactNode {
  const texts = useImportTexts();
  return (
    <button type="button" disabled={isDisabled} onClick={onOther}>
      {texts.otherFile}
    </button>
  );
}

/** What is wrong with the choice of columns, or seems to be. */
function ColumnProblems({
  chosen,
  targets,
}: { chosen: readonly string[] } & Pick<Props, 'targets'>): ReactNode {
  const texts = useImportTexts();
  const twice = targets.find(({ column }) => column === doubled(chosen));
  const missing = targets.filter(({ column, isRequired }) => isRequired === true && !chosen.includes(column));
  return (
    <>
      {twice === undefined ? null : (
        <p role="alert" className="error">
          {filled(texts.twice, { field: twice.title })}
        </p>
      )}
      {chosen.every((column) => column === '') ? <p role="status">{texts.noneChosen}</p> : null}
      {missing.map(({ column, title }) => (
        <p key={column} className={styles.warning}>
          {filled(texts.missing, { field: title })}
        </p>
      ))}
    </>
  );
}
