import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.js';
import { ProblemError } from './api.js';

interface Props {
  error: Error | null | undefined;
}

/** Says why something failed, in the words of the API, with the fields that it names. */
export function ErrorNotice({ error }: Props): ReactNode {
  const texts = useTexts();
  if (error === null || error === undefined) return null;
  if (!(error instanceof ProblemError)) {
    return (
      <p role="alert" className="error">
        {texts.noConnection}
      </p>
    );
  }
  const { detail, errors = [] } = error.problem;
  // What is wrong with one field alone is the detail as well.
  const more = errors.filter(({ message }) => !detail.includes(message));
  return (
    <div role="alert" className="error">
      <p>{detail}</p>
      {more.map(({ pointer, message }) => (
        <p key={`${pointer} ${message}`}>
          <code>{pointer}</code> {message}
        </p>
      ))}
    </div>
  );
}
