import { type ReactNode, useState } from 'react';
import { DialogButton } from '../kit/dialog.js';
import { Form, InputField } from '../kit/field.js';
import { useWorkflowTexts } from './texts.js';
import { useImport, type WorkflowFile } from './use-import.js';

/** Makes a workflow of a file that a workflow was exported to. */
export function ImportWorkflow(): ReactNode {
  const texts = useWorkflowTexts();
  return <DialogButton title={texts.importFile}>{() => <ImportForm />}</DialogButton>;
}

function ImportForm(): ReactNode {
  const texts = useWorkflowTexts();
  const [file, setFile] = useState<WorkflowFile>();
  const [isWrong, setIsWrong] = useState(false);
  const load = useImport();
  const read = async (chosen: File | undefined) => {
    const content = chosen === undefined ? undefined : fileOf(await chosen.text());
    setFile(content);
    setIsWrong(chosen !== undefined && content === undefined);
  };
  return (
    <Form error={load.error} onSubmit={() => file !== undefined && load.mutate(file)}>
      <InputField
        label={texts.file}
        pointer="/rootTask"
        type="file"
        accept=".json,application/json"
        required
        hint={isWrong ? <span className="error">{texts.noWorkflowFile}</span> : undefined}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      {file === undefined ? null : (
        <InputField
          label={texts.name}
          pointer="/name"
          required
          value={file.name}
          onChange={({ target }) => setFile({ ...file, name: target.value })}
        />
      )}
      <button type="submit" className="primary" disabled={file === undefined || load.isPending}>
        {texts.importIt}
      </button>
    </Form>
  );
}

/** The API says what is wrong with the tasks of a file. */
function fileOf(text: string): WorkflowFile | undefined {
  try {
    const content: unknown = JSON.parse(text);
    const isFile = typeof content === 'object' && content !== null && 'rootTask' in content;
    return isFile
      ? { name: '', ...(content as object), rootTask: content.rootTask as WorkflowFile['rootTask'] }
      : undefined;
  } catch {
    return undefined;
  }
}
