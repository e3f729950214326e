import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { signInAddress, useSessionEnded } from '../kit/session.js';
import { useTexts } from '../texts/texts.js';

export function Root(): ReactNode {
  return (
    <>
      <SessionEnded />
      <Outlet />
    </>
  );
}

/** Says that one has to sign in again. What was written stays in this browser. */
function SessionEnded(): ReactNode {
  const texts = useTexts();
  if (!useSessionEnded()) return null;
  return (
    <div role="alert" className="banner">
      <span>{texts.sessionEnded}</span> <a href={signInAddress()}>{texts.signInAgain}</a>
    </div>
  );
}
