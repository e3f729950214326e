import type { ReactNode } from 'react';
import { ProblemError } from '../kit/api.js';
import { signInAddress } from '../kit/session.js';
import { useTexts } from '../texts/texts.js';

/** A page in place of one that cannot be shown. */
function PlainPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <main className="plain">
      <h1>{title}</h1>
      {children}
    </main>
  );
}

export function NotFoundPage(): ReactNode {
  const texts = useTexts();
  return (
    <PlainPage title={texts.notFound}>
      <p>
        <a href="/console">{texts.toWorkspaces}</a>
      </p>
    </PlainPage>
  );
}

export function FailedPage({ error }: { error: unknown }) {
  const texts = useTexts();
  const problem = error instanceof ProblemError ? error.problem : undefined;
  if (problem?.status === 401) {
    return (
      <PlainPage title={texts.notSignedIn}>
        <p>
          <a href={signInAddress()}>{texts.signIn}</a>
        </p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={texts.failed}>
      <p>{problem?.detail ?? texts.noConnection}</p>
      {problem?.requestId === undefined ? null : (
        <p className="quiet">
          {texts.request} <code>{problem.requestId}</code>
        </p>
      )}
      <p className="acts">
        <button type="button" onClick={() => location.reload()}>
          {texts.tryAgain}
        </button>
        <a href="/console">{texts.toWorkspaces}</a>
      </p>
    </PlainPage>
  );
}
